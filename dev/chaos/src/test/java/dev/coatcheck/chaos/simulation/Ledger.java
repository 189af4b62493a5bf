package dev.coatcheck.chaos.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The provider's own ledger, outside of what is under test. */
final class Ledger {
  private static final Pattern MARKER = Pattern.compile("job-\\d+-");

  private final Map<String, Scenario> scenarios;
  private final List<Call> calls = new ArrayList<>();

  /**
   * @param scenarios by marker
   */
  Ledger(Map<String, Scenario> scenarios) {
    this.scenarios = Map.copyOf(scenarios);
  }

  record Begun(Call call, Reply reply) {}

  Begun begin(String request) {
    String marker = markerOf(request);
    Scenario scenario = scenarios.get(marker);
    if (scenario == null) {
      throw new IllegalStateException("a request for nobody: " + request);
    }
    Reply reply = scenario.reply(of(marker).size() + 1, request);
    var call = new Call(calls.size() + 1, marker, reply);
    calls.add(call);
    return new Begun(call, reply);
  }

  /** Whose request it is. */
  static String markerOf(String request) {
    Matcher marker = MARKER.matcher(request);
    if (!marker.find()) {
      throw new IllegalStateException("a request without a marker: " + request);
    }
    return marker.group();
  }

  List<Call> all() {
    return List.copyOf(calls);
  }

  List<Call> of(String marker) {
    return calls.stream().filter(call -> call.job().equals(marker)).toList();
  }
}
