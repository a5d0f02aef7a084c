/** A service of an invented company, with some two hundred tools, that shows Toolcrib at work. */
@NullMarked
package dev.toolcrib.demo;

import org.jspecify.annotations.NullMarked;
