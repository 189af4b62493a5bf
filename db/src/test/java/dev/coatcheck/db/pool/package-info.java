@NullMarked
package dev.coatcheck.db.pool;

import org.jspecify.annotations.NullMarked;
