package dev.coatcheck.chaos;

import dev.coatcheck.processes.SimulatorProcess.Received;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Compares what we recorded as used with what the provider charged, answer by answer. */
final class CheckUsage {
  private static final String ANSWERED =
      """
      select job.idempotency_key, attempt.number, coalesce(attempt.provider_request_id, ''),
        coalesce(attempt.usage_input, -1), coalesce(attempt.usage_output, -1)
      from attempt join job on job.id = attempt.job_id and job.tenant_id = attempt.tenant_id
      where attempt.state = 'answered'
      """;

  private final Map<String, Received> received;
  private final Map<String, String> markers;

  CheckUsage(List<Received> received, List<Errand> errands) {
    this.received =
        received.stream().collect(Collectors.toMap(Received::requestId, Function.identity()));
    this.markers = errands.stream().collect(Collectors.toMap(Errand::key, Errand::marker));
  }

  private record Answered(String key, int number, String requestId, int input, int output) {}

  Check check(JdbcClient database) {
    var broken = new ArrayList<String>();
    var seen = new HashSet<String>();
    long tokens = 0;
    var answers = answered(database);
    for (var answer : answers) {
      var charged = received.get(answer.requestId);
      tokens += answer.input;
      if (!seen.add(answer.requestId)) {
        broken.add("two attempts have one answer: " + answer);
      } else if (charged == null || !isOf(answer, charged)) {
        broken.add(answer + ", but the provider has " + charged);
      }
    }
    return new Check(
        "I13",
        "recorded usage is what the provider charged",
        "%d answers, %d tokens asked".formatted(answers.size(), tokens),
        broken);
  }

  private boolean isOf(Answered answer, Received charged) {
    return charged.prompt().startsWith(markers.getOrDefault(answer.key, "A probe."))
        && charged.ending().equals("whole")
        && charged.promptTokens() == answer.input
        && answer.output > 0;
  }

  private static List<Answered> answered(JdbcClient database) {
    return database
        .sql(ANSWERED)
        .query(
            (row, number) ->
                new Answered(
                    row.getString(1),
                    row.getInt(2),
                    row.getString(3),
                    row.getInt(4),
                    row.getInt(5)))
        .list();
  }
}
