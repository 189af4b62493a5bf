/** Who waits for a job's change. */
@NullMarked
package dev.coatcheck.app.event;

import org.jspecify.annotations.NullMarked;
