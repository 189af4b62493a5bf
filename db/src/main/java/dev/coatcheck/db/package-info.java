@NullMarked
package dev.coatcheck.db;

import org.jspecify.annotations.NullMarked;
