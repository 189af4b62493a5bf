/** JSON out. */
@NullMarked
package dev.coatcheck.app.json;

import org.jspecify.annotations.NullMarked;
