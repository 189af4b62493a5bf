/**
 * The real runner over the real SQL, one thread at a time: a seeded scheduler says who moves next
 * and what happens to it at each named point, time is simulated, and so are the provider and
 * JobRunr.
 */
@NullMarked
package dev.coatcheck.chaos.simulation;

import org.jspecify.annotations.NullMarked;
