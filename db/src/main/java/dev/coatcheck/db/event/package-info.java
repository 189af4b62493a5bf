@NullMarked
package dev.coatcheck.db.event;

import org.jspecify.annotations.NullMarked;
