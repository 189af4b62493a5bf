package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.job.Budget;
import java.time.Duration;
import java.util.List;

/**
 * A prompt and its answer: the provider does what its script says, and answers from then on.
 *
 * @param script of the first calls
 * @param usual how long each later answer takes
 */
record Completion(List<Reply> script, Duration usual, Budget budget, Duration deadline)
    implements Scenario {
  /** A job that has as long ends by itself. */
  static final Duration PLENTY = Duration.ofMinutes(10);

  Completion {
    script = List.copyOf(script);
  }

  @Override
  public String body(String marker) {
    return "{\"prompt\":\"%s\"}".formatted(marker);
  }

  @Override
  public Reply reply(int call, String request) {
    return call <= script.size() ? script.get(call - 1) : answer(usual);
  }

  static Reply answer(Duration after) {
    return Reply.answer(
        """
        {"choices":[{"index":0,"message":{"role":"assistant","content":"%CALL%"},"finish_reason":"stop"}],
         "usage":{"prompt_tokens":3,"completion_tokens":%CALL%,"total_tokens":3}}""",
        after);
  }

  /** A completed job has an answer that was given, and one with plenty of time does not expire. */
  @Override
  public List<String> check(Evidence evidence) {
    return evidence
        .database()
        .sql(
            """
            select 'completed, but its turn is not an answer of the provider: ' || convert_from(turn.message, 'UTF8')
            from job join turn on turn.job_id = job.id
            where job.idempotency_key = :marker and job.status = 'completed'
              and convert_from(turn.message, 'UTF8') <> all (:messages)
            union all
            select 'expired in spite of plenty of time' from job
            where idempotency_key = :marker and status = 'expired' and deadline_at > created_at + interval '9 minutes'
            """)
        .param("marker", evidence.marker())
        .param("messages", messages(evidence.calls()))
        .query((row, number) -> row.getString(1))
        .list();
  }

  private static String[] messages(List<Call> calls) {
    return calls.stream()
        .filter(call -> call.kind() == Reply.Kind.ANSWER && call.isReceived())
        .map(call -> "{\"role\":\"assistant\",\"content\":\"%d\"}".formatted(call.number()))
        .toArray(String[]::new);
  }
}
