/** From a query to a list, from a row to a reason. */
@NullMarked
package dev.coatcheck.app.query;

import org.jspecify.annotations.NullMarked;
