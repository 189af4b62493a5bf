/** The HTTP contract: routes and the JSON they speak. */
@NullMarked
package dev.coatcheck.app.api;

import org.jspecify.annotations.NullMarked;
