/**
 * What is put before the classes of a process under test: it stops, kills or misleads it from
 * within when told. Nothing in production knows of it.
 */
@NullMarked
package dev.coatcheck.chaos.inside;

import org.jspecify.annotations.NullMarked;
