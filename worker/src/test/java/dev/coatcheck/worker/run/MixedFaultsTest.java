package dev.coatcheck.worker.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.simulator.Answer;
import dev.coatcheck.simulator.AnthropicErrors;
import dev.coatcheck.simulator.Completion;
import dev.coatcheck.simulator.Ending;
import dev.coatcheck.simulator.Match;
import dev.coatcheck.simulator.Nonsense;
import dev.coatcheck.simulator.OpenAiErrors;
import dev.coatcheck.simulator.Reply;
import dev.coatcheck.worker.run.Rig.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every fault a provider has, mixed at random: each job ends right, and both ledgers agree. */
class MixedFaultsTest {
  private static final int JOBS = 500;
  private static final int MAX_ATTEMPTS = 4;
  private static final long SEED = 20_261_129;
  private static final Duration ATTEMPT_TIMEOUT = Duration.ofMillis(2_500);

  /** What a scripted answer is, what the ledger is to say of it, and what it does to the job. */
  private enum Move {
    ANSWERED(() -> Completion.saying("well"), "answered", null, "yes", Kind.COMPLETES),
    CUT_SHORT(
        () -> Completion.saying("so far").finishing("length"),
        "answered",
        null,
        "yes",
        Kind.INCOMPLETE),
    LIMITED(
        () -> OpenAiErrors.rateLimited().with("retry-after", "0"),
        "refused",
        "rate_limited",
        "no",
        Kind.AGAIN),
    FAILED(OpenAiErrors::serverError, "refused", "provider_error", "no", Kind.AGAIN),
    OVERLOADED(AnthropicErrors::overloaded, "refused", "provider_overloaded", "no", Kind.AGAIN),
    BAD_GATEWAY(
        () -> Reply.html(502, "<html>bad gateway</html>"),
        "refused",
        "provider_error",
        "no",
        Kind.AGAIN),
    CONFLICT(() -> OpenAiErrors.status(409), "refused", "provider_error", "no", Kind.AGAIN),
    RESET(Answer::reset, "indeterminate", "provider_error", "unknown", Kind.AGAIN),
    HUNG_UP(Answer::hangUp, "indeterminate", "provider_error", "unknown", Kind.AGAIN),
    CUT(
        () -> Answer.cut(Completion.saying("half of it"), 20),
        "indeterminate",
        "provider_error",
        "unknown",
        Kind.AGAIN),
    HANGS(Answer::hang, "indeterminate", "provider_timeout", "unknown", Kind.AGAIN),
    STALLS(
        () -> Answer.stall(Completion.saying("half of it"), 20),
        "indeterminate",
        "provider_timeout",
        "unknown",
        Kind.AGAIN),
    NOT_JSON(Nonsense::badJson, "refused", "invalid_response", "unknown", Kind.ONCE),
    NO_CHOICES(Nonsense::noChoices, "refused", "invalid_response", "unknown", Kind.ONCE),
    NO_KEY(OpenAiErrors::invalidApiKey, "refused", "provider_auth", "no", Kind.NEVER),
    NO_MONEY(OpenAiErrors::insufficientQuota, "refused", "billing", "no", Kind.NEVER),
    NO_MODEL(OpenAiErrors::modelNotFound, "refused", "model_unknown", "no", Kind.NEVER),
    TOO_LONG(OpenAiErrors::contextTooLong, "refused", "context_too_long", "no", Kind.NEVER),
    TOO_LARGE(OpenAiErrors::requestTooLarge, "refused", "request_too_large", "no", Kind.NEVER);

    enum Kind {
      COMPLETES,
      INCOMPLETE,
      AGAIN,
      ONCE,
      NEVER
    }

    @SuppressWarnings("ImmutableEnumChecker") // a supplier of constants
    final Supplier<Answer> answer;

    final String state;
    final @Nullable String code;
    final String billed;
    final Kind kind;

    Move(Supplier<Answer> answer, String state, @Nullable String code, String billed, Kind kind) {
      this.answer = answer;
      this.state = state;
      this.code = code;
      this.billed = billed;
      this.kind = kind;
    }
  }

  /**
   * @param sent the moves that a right client provokes
   * @param code the job's error code
   */
  private record Script(List<Move> moves, List<Move> sent, String status, @Nullable String code) {}

  @Test
  void five_hundred_jobs_among_all_faults_end_right_and_the_ledgers_agree() {
    Map<String, Script> scripts = new HashMap<>();
    var random = new Random(SEED);
    for (int i = 0; i < JOBS; i++) {
      scripts.put("mixed %03d of seed %d".formatted(i, SEED), script(random));
    }
    try (Rig rig = new Rig(Map.of("coatcheck.retry.initial", "50ms"))) {
      rig.simulator.script(
          Match.eachPrompt(),
          (request, nth) -> script(scripts, request.prompt()).moves.get(nth - 1).answer.get());
      Map<String, JobId> jobs = new HashMap<>();
      scripts
          .keySet()
          .forEach(
              prompt ->
                  jobs.put(
                      prompt,
                      rig.submit(
                          prompt, Terms.usual().attempts(MAX_ATTEMPTS).timeout(ATTEMPT_TIMEOUT))));
      await().atMost(Duration.ofMinutes(2)).until(() -> rig.count("ended_at is not null") == JOBS);
      jobs.forEach((prompt, job) -> check(rig, prompt, job, script(scripts, prompt)));
      checkTotals(rig);
      rig.probe.assertNoneHeldDuringCalls();
    }
  }

  private static Script script(Map<String, Script> scripts, String prompt) {
    Script script = scripts.get(prompt);
    if (script == null) {
      throw new AssertionError("no script for " + prompt);
    }
    return script;
  }

  /** Draws moves, and says what a right client makes of them. */
  private static Script script(Random random) {
    List<Move> moves = new ArrayList<>();
    for (int i = 0; i < MAX_ATTEMPTS + 2; i++) {
      moves.add(Move.values()[random.nextInt(Move.values().length)]);
    }
    List<Move> sent = new ArrayList<>();
    boolean once = false;
    for (Move move : moves) {
      sent.add(move);
      switch (move.kind) {
        case COMPLETES -> {
          return new Script(moves, sent, "completed", null);
        }
        case INCOMPLETE -> {
          return new Script(moves, sent, "incomplete", null);
        }
        case NEVER -> {
          return new Script(moves, sent, "failed", move.code);
        }
        case ONCE -> {
          if (once || sent.size() == MAX_ATTEMPTS) {
            return new Script(moves, sent, "failed", "invalid_response");
          }
          once = true;
        }
        case AGAIN -> {
          if (sent.size() == MAX_ATTEMPTS) {
            return new Script(moves, sent, "failed", "attempts_exhausted");
          }
        }
      }
    }
    throw new AssertionError("a script has an end");
  }

  private static void check(Rig rig, String prompt, JobId job, Script script) {
    assertThat(rig.job(job))
        .as("%s: %s", prompt, script.moves)
        .containsEntry("status", script.status)
        .containsEntry("error_code", script.code);
    List<Map<String, @Nullable Object>> attempts = rig.attempts(job);
    assertThat(attempts).as("%s: %s", prompt, script.moves).hasSize(script.sent.size());
    for (int i = 0; i < attempts.size(); i++) {
      Move move = script.sent.get(i);
      assertThat(attempts.get(i))
          .as("%s, attempt %d: %s", prompt, i + 1, move)
          .containsEntry("state", move.state)
          .containsEntry("error_code", move.code)
          .containsEntry("billed", move.billed);
    }
    assertThat(rig.simulator.ledger().entries(entry -> entry.prompt().equals(prompt)))
        .hasSize(attempts.size());
  }

  /**
   * What the provider charged for is what we recorded, and nothing else was recorded as answered.
   */
  private static void checkTotals(Rig rig) {
    long attempts = number(rig, "select count(*) from attempt");
    assertThat(rig.simulator.ledger().received()).isEqualTo(attempts);
    assertThat(number(rig, "select count(*) from attempt where state = 'sending'")).isZero();
    long whole = number(rig, "select count(*) from attempt where state in ('answered', 'refused')");
    assertThat(rig.simulator.ledger().count(entry -> entry.ending() == Ending.WHOLE))
        .isEqualTo((int) whole);
    assertThat(number(rig, "select count(*) from turn"))
        .isEqualTo(number(rig, "select count(*) from attempt where state = 'answered'"));
  }

  private static long number(Rig rig, String sql) {
    return rig.engine.sql().sql(sql).query(Long.class).single();
  }
}
