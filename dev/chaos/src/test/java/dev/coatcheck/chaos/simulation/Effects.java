package dev.coatcheck.chaos.simulation;

import dev.coatcheck.worker.egress.EgressRequest;
import dev.coatcheck.worker.egress.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tools' own ledger: what reached them, and under which effect key. */
final class Effects {
  static final String HOST = "tools.invalid";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final Map<String, Scenario> scenarios;
  private final List<Send> sends = new ArrayList<>();

  /**
   * @param scenarios by marker
   */
  Effects(Map<String, Scenario> scenarios) {
    this.scenarios = Map.copyOf(scenarios);
  }

  /**
   * A request to a tool.
   *
   * @param step what its arguments name
   * @param isClaimed whether its claim was committed by then
   */
  record Send(String step, String effectKey, boolean isClaimed, Call call) {}

  /**
   * @param isClaimed says of an effect key whether its call is claimed
   */
  Ledger.Begun begin(EgressRequest request, Predicate<String> isClaimed) {
    JsonNode body = MAPPER.readTree(request.body().toBytes());
    String step = body.path("arguments").path("step").asString();
    Scenario scenario = scenarios.get(Ledger.markerOf(step));
    if (scenario == null) {
      throw new IllegalStateException("a request for nobody: " + body);
    }
    Reply reply = scenario.toolReply(of(step).size() + 1);
    var call = new Call(sends.size() + 1, step, reply);
    String key = key(request, body);
    sends.add(new Send(step, key, isClaimed.test(key), call));
    return new Ledger.Begun(call, reply);
  }

  private static String key(EgressRequest request, JsonNode body) {
    String told = body.path("effect_key").asString();
    List<String> keys =
        request.headers().stream()
            .filter(header -> header.name().equalsIgnoreCase("Idempotency-Key"))
            .map(Header::value)
            .toList();
    if (!keys.equals(List.of(told))) {
      throw new IllegalStateException("one effect key in the body, another in the headers");
    }
    return told;
  }

  List<Send> of(String step) {
    return sends.stream().filter(send -> send.step().equals(step)).toList();
  }
}
