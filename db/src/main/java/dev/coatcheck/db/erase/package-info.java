/** What is forgotten: content first, then the job itself. */
@NullMarked
package dev.coatcheck.db.erase;

import org.jspecify.annotations.NullMarked;
