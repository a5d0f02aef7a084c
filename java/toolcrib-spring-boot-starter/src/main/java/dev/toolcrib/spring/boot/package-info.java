/**
 * Toolcrib in a Spring service: {@link dev.toolcrib.spring.boot.ToolSessions} keeps one session for
 * each conversation of each caller.
 */
@NullMarked
package dev.toolcrib.spring.boot;

import org.jspecify.annotations.NullMarked;
