@NullMarked
package dev.coatcheck.db.webhook;

import org.jspecify.annotations.NullMarked;
