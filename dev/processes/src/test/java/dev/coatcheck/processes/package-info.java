@NullMarked
package dev.coatcheck.processes;

import org.jspecify.annotations.NullMarked;
