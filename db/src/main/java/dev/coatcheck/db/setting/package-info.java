/** Configuration that is not accepted, said in one sentence. */
@NullMarked
package dev.coatcheck.db.setting;

import org.jspecify.annotations.NullMarked;
