/** The outbox of webhooks: what is to be sent, who sends it, what came of it. */
@NullMarked
package dev.coatcheck.db.delivery;

import org.jspecify.annotations.NullMarked;
