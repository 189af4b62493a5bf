@NullMarked
package dev.coatcheck.worker.retry;

import org.jspecify.annotations.NullMarked;
