/** Connections: where the database is, its schema brought up to date, and the pools. */
@NullMarked
package dev.coatcheck.db.pool;

import org.jspecify.annotations.NullMarked;
