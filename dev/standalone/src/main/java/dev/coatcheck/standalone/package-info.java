@NullMarked
package dev.coatcheck.standalone;

import org.jspecify.annotations.NullMarked;
