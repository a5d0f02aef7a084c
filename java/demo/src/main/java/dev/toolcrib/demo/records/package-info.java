/** The company's data: tables of JSON rows, kept in memory, apart for every tenant. */
@NullMarked
package dev.toolcrib.demo.records;

import org.jspecify.annotations.NullMarked;
