/** Forgets what is over. */
@NullMarked
package dev.coatcheck.worker.erase;

import org.jspecify.annotations.NullMarked;
