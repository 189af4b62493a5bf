@NullMarked
package dev.coatcheck.worker.provider;

import org.jspecify.annotations.NullMarked;
