@NullMarked
package dev.coatcheck.app.page;

import org.jspecify.annotations.NullMarked;
