@NullMarked
package dev.coatcheck.simulator;

import org.jspecify.annotations.NullMarked;
