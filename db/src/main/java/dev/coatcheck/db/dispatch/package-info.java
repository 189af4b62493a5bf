@NullMarked
package dev.coatcheck.db.dispatch;

import org.jspecify.annotations.NullMarked;
