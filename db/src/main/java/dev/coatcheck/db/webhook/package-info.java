/**
 * What a webhook is: where it may go, and what signs it. Known to intake and to the sender alike.
 */
@NullMarked
package dev.coatcheck.db.webhook;

import org.jspecify.annotations.NullMarked;
