@NullMarked
package dev.coatcheck.bench;

import org.jspecify.annotations.NullMarked;
