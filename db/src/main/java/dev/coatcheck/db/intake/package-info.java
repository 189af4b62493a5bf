/** What the web tier asks of the store. Each public method is short, or fails as "away". */
@NullMarked
package dev.coatcheck.db.intake;

import org.jspecify.annotations.NullMarked;
