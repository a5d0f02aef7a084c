/** Health, info and metrics of Toolcrib. */
@NullMarked
package dev.toolcrib.spring.boot.actuate;

import org.jspecify.annotations.NullMarked;
