@NullMarked
package dev.coatcheck.worker.run;

import org.jspecify.annotations.NullMarked;
