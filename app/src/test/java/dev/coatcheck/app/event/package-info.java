@NullMarked
package dev.coatcheck.app.event;

import org.jspecify.annotations.NullMarked;
