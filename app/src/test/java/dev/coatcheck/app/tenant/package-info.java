@NullMarked
package dev.coatcheck.app.tenant;

import org.jspecify.annotations.NullMarked;
