/** Errors as problem+json, whoever finds them. */
@NullMarked
package dev.coatcheck.app.problem;

import org.jspecify.annotations.NullMarked;
