/**
 * Who may write to a job in progress: acquire, renew, park, release, and what ends a lease that ran
 * out.
 */
@NullMarked
package dev.coatcheck.db.lease;

import org.jspecify.annotations.NullMarked;
