/** The command that makes API keys. */
@NullMarked
package dev.coatcheck.app.key;

import org.jspecify.annotations.NullMarked;
