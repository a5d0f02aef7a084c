/** The scripted conversation that the demo plays and prints. */
@NullMarked
package dev.toolcrib.demo.tour;

import org.jspecify.annotations.NullMarked;
