/**
 * Breaks a running topology on purpose: kills, pauses, partitions, outages. Then it checks what was
 * promised, from the callers' history, the provider's ledger and the database.
 */
@NullMarked
package dev.coatcheck.chaos;

import org.jspecify.annotations.NullMarked;
