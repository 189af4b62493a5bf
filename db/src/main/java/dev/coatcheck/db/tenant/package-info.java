@NullMarked
package dev.coatcheck.db.tenant;

import org.jspecify.annotations.NullMarked;
