/** Shows what the safeties of tools promise, by killing a worker where it hurts. */
@NullMarked
package dev.coatcheck.demo;

import org.jspecify.annotations.NullMarked;
