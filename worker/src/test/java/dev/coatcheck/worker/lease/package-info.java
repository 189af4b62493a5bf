@NullMarked
package dev.coatcheck.worker.lease;

import org.jspecify.annotations.NullMarked;
