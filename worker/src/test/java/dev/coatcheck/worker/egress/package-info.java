@NullMarked
package dev.coatcheck.worker.egress;

import org.jspecify.annotations.NullMarked;
