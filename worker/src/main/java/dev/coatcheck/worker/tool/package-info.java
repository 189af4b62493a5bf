/** Runs the tools that models ask for, by their declared safety. */
@NullMarked
package dev.coatcheck.worker.tool;

import org.jspecify.annotations.NullMarked;
