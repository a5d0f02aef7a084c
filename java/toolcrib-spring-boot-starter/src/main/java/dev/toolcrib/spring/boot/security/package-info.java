/** Callers out of Spring Security's authentications. */
@NullMarked
package dev.toolcrib.spring.boot.security;

import org.jspecify.annotations.NullMarked;
