/** From a request to a job. */
@NullMarked
package dev.coatcheck.app.submit;

import org.jspecify.annotations.NullMarked;
