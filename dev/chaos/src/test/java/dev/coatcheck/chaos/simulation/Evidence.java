package dev.coatcheck.chaos.simulation;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What there is to check a job by.
 *
 * @param marker which job
 * @param calls the provider's own ledger of it
 * @param effects the tools' own ledger
 * @param people what was decided about its calls
 * @param database with its rows
 */
record Evidence(
    String marker, List<Call> calls, Effects effects, People people, JdbcClient database) {
  Evidence {
    calls = List.copyOf(calls);
  }
}
