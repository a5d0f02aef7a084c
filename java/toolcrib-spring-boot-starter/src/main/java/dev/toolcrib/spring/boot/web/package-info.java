/** Toolcrib over HTTP: who the caller of a request is, and the endpoints. */
@NullMarked
package dev.toolcrib.spring.boot.web;

import org.jspecify.annotations.NullMarked;
