@NullMarked
package dev.coatcheck.db.job;

import org.jspecify.annotations.NullMarked;
