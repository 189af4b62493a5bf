/** What the web tier is told by configuration. */
@NullMarked
package dev.coatcheck.app.setting;

import org.jspecify.annotations.NullMarked;
