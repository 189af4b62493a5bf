/** Reads what people and callers decide about tool calls. */
@NullMarked
package dev.coatcheck.app.decide;

import org.jspecify.annotations.NullMarked;
