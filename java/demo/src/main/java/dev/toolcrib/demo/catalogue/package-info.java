/** Tools of others, read from files. */
@NullMarked
package dev.toolcrib.demo.catalogue;

import org.jspecify.annotations.NullMarked;
