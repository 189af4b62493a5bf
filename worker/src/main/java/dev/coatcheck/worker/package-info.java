@NullMarked
package dev.coatcheck.worker;

import org.jspecify.annotations.NullMarked;
