@NullMarked
package dev.coatcheck.app;

import org.jspecify.annotations.NullMarked;
