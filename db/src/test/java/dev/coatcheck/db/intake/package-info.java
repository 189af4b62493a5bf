@NullMarked
package dev.coatcheck.db.intake;

import org.jspecify.annotations.NullMarked;
