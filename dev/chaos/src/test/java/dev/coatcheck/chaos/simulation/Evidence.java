package dev.coatcheck.chaos.simulation;

import java.sql.Connection;
import java.util.List;

/**
 * What there is to check a job by.
 *
 * @param marker which job
 * @param calls the provider's own ledger of it
 * @param effects the tools' own ledger
 * @param people what was decided about its calls
 * @param connection to its rows
 */
record Evidence(
    String marker, List<Call> calls, Effects effects, People people, Connection connection) {
  Evidence {
    calls = List.copyOf(calls);
  }
}
