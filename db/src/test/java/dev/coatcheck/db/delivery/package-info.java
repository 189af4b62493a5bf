@NullMarked
package dev.coatcheck.db.delivery;

import org.jspecify.annotations.NullMarked;
