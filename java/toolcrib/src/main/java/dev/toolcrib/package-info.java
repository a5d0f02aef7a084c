/**
 * Toolcrib keeps every tool an organisation has, shows each caller only what the caller may use,
 * shows the model only what the task needs, and checks again at every call.
 *
 * <p>Everything starts with a {@link dev.toolcrib.ToolRegistry}. Sources are put into it, sessions
 * are opened on it; a {@link dev.toolcrib.ToolAuthorizer} decides what each caller may use. JSON
 * goes in and out as text. Nothing is null unless it is marked {@code @Nullable}.
 */
@NullMarked
package dev.toolcrib;

import org.jspecify.annotations.NullMarked;
