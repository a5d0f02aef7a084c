/** Who the users are and what they may use. */
@NullMarked
package dev.toolcrib.demo.access;

import org.jspecify.annotations.NullMarked;
