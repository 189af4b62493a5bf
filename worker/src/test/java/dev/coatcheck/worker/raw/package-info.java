@NullMarked
package dev.coatcheck.worker.raw;

import org.jspecify.annotations.NullMarked;
