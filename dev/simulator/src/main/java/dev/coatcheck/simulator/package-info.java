/**
 * A model provider on one port that answers, lies and fails on request.
 *
 * <p>Tests start it with {@link dev.coatcheck.simulator.Simulator#start} and script its answers;
 * people and other processes drive it by directives in the prompt, such as {@code [[sim: 500,
 * 200]]}; what it received is in its {@link dev.coatcheck.simulator.Ledger}, also over HTTP at
 * {@code /__ledger}. The module's README lists it all.
 */
@NullMarked
package dev.coatcheck.simulator;

import org.jspecify.annotations.NullMarked;
