/** JSON as bytes: checked once, then cut into slices that keep order and spelling. */
@NullMarked
package dev.coatcheck.db.json;

import org.jspecify.annotations.NullMarked;
