@NullMarked
package dev.coatcheck.db.json;

import org.jspecify.annotations.NullMarked;
