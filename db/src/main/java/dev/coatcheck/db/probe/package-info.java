/**
 * Named points that a job passes, where a test stops, kills or lies to whoever comes there. Inert
 * in production.
 */
@NullMarked
package dev.coatcheck.db.probe;

import org.jspecify.annotations.NullMarked;
