@NullMarked
package dev.coatcheck.worker.deliver;

import org.jspecify.annotations.NullMarked;
