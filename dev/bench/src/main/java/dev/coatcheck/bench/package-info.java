/**
 * Measures the packaged jars from outside, as processes of their own. {@link
 * dev.coatcheck.bench.Bench} is the command, a {@link dev.coatcheck.bench.Scenario} one thing to
 * measure, a {@link dev.coatcheck.bench.Stage} what it is measured on.
 */
@NullMarked
package dev.coatcheck.bench;

import org.jspecify.annotations.NullMarked;
