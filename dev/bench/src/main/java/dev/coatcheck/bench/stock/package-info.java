/** The same work on plain JobRunr as it comes out of its box, in a process of its own. */
@NullMarked
package dev.coatcheck.bench.stock;

import org.jspecify.annotations.NullMarked;
