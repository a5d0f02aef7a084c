/**
 * Tools made of plain Java: {@link dev.toolcrib.spring.boot.tool.ObjectTools} turns annotated
 * methods and typed functions into what a {@link dev.toolcrib.ToolSource} consists of.
 */
@NullMarked
package dev.toolcrib.spring.boot.tool;

import org.jspecify.annotations.NullMarked;
