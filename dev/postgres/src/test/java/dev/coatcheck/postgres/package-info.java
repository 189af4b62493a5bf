@NullMarked
package dev.coatcheck.postgres;

import org.jspecify.annotations.NullMarked;
