/**
 * What is injected instead of called: pauses and ids. The clock is {@link java.time.InstantSource}.
 */
@NullMarked
package dev.coatcheck.db.time;

import org.jspecify.annotations.NullMarked;
