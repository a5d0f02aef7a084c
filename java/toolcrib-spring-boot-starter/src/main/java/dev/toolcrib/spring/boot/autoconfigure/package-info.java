/** Switches Toolcrib on in a Spring Boot service; nothing here is called by services. */
@NullMarked
package dev.toolcrib.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
