/**
 * Starts what a deployment starts, each as a process of its own, and ends it whatever happens. A
 * {@link dev.coatcheck.processes.Stack} is the whole of it.
 */
@NullMarked
package dev.coatcheck.processes;

import org.jspecify.annotations.NullMarked;
