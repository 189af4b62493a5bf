package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.job.Budget;
import dev.coatcheck.db.tool.ToolSafety;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A job whose model asks for a tool of one safety: twice in its first turn, once in its second, and
 * is content then.
 *
 * @param script what the tool does about the first sendings of each call
 * @param usual how long each answer of tool and model takes from then on
 */
record ToolJob(
    ToolSafety safety, List<Reply> script, Duration usual, Budget budget, Duration deadline)
    implements Scenario {
  private static final Pattern RESULT = Pattern.compile("\"role\":\"tool\"");

  ToolJob {
    script = List.copyOf(script);
  }

  @Override
  public String body(String marker) {
    return "{\"prompt\":\"%s\",\"tools\":[\"%s\"]}".formatted(marker, safety.text());
  }

  @Override
  public Reply reply(int call, String request) {
    String marker = Ledger.markerOf(request);
    return switch ((int) RESULT.matcher(request).results().count()) {
      case 0 -> asks(marker + 1, marker + 2);
      case 2 -> asks(marker + 3);
      case 3 -> Completion.answer(usual);
      default -> throw new IllegalStateException("results are missing: " + request);
    };
  }

  private Reply asks(String... steps) {
    var calls = new ArrayList<String>();
    for (String step : steps) {
      calls.add(
          """
          {"id":"call_%%CALL%%_%d","type":"function","function":{"name":"%s","arguments":"{\\"step\\":\\"%s\\"}"}}"""
              .formatted(calls.size(), safety.text(), step));
    }
    return Reply.answer(
        """
        {"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[%s]},"finish_reason":"tool_calls"}],
         "usage":{"prompt_tokens":3,"completion_tokens":%%CALL%%,"total_tokens":3}}"""
            .formatted(String.join(",", calls)),
        usual);
  }

  @Override
  public Reply toolReply(int send) {
    return send <= script.size() ? script.get(send - 1) : Reply.answer("{\"call\":%CALL%}", usual);
  }

  @Override
  public List<String> check(Evidence evidence) {
    return new CheckToolJob(safety, evidence).all();
  }
}
