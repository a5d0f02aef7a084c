/** The tools, one class and one resource file a business domain. */
@NullMarked
package dev.toolcrib.demo.domain;

import org.jspecify.annotations.NullMarked;
