package dev.toolcrib.demo.tour;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.demo.access.BusinessConfiguration;

/**
 * What the scenes play with.
 *
 * @param screen where they print
 * @param registry the service's registry
 * @param configuration what the business has switched off
 * @param api the service's own HTTP endpoints
 */
record Stage(Screen screen, ToolRegistry registry, BusinessConfiguration configuration, Api api) {}
