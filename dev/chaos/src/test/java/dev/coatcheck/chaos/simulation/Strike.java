package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.probe.Checkpoint;

/**
 * One planned fault.
 *
 * @param occurrence the how manieth time that the point is reached in a history, from 1
 */
record Strike(Checkpoint point, int occurrence, Act act) {}
