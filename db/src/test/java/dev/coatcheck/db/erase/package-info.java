@NullMarked
package dev.coatcheck.db.erase;

import org.jspecify.annotations.NullMarked;
