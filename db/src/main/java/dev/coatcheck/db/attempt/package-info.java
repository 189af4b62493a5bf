@NullMarked
package dev.coatcheck.db.attempt;

import org.jspecify.annotations.NullMarked;
