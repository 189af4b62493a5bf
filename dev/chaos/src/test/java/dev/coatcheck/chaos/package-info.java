@NullMarked
package dev.coatcheck.chaos;

import org.jspecify.annotations.NullMarked;
