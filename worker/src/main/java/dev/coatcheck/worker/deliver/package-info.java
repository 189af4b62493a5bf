/** Sends webhooks: one try a dispatch, signed, guarded and bounded. */
@NullMarked
package dev.coatcheck.worker.deliver;

import org.jspecify.annotations.NullMarked;
