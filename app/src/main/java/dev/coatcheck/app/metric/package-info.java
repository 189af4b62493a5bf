/** What the web tier counts. */
@NullMarked
package dev.coatcheck.app.metric;

import org.jspecify.annotations.NullMarked;
