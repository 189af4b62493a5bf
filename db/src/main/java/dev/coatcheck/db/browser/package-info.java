/**
 * What browsers tell of a request, so that other web pages which are open in them are kept away.
 */
@NullMarked
package dev.coatcheck.db.browser;

import org.jspecify.annotations.NullMarked;
