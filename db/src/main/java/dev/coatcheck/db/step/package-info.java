@NullMarked
package dev.coatcheck.db.step;

import org.jspecify.annotations.NullMarked;
