package dev.coatcheck.app.submit;

import dev.coatcheck.db.intake.NewJob;
import dev.coatcheck.db.job.Budget;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.db.json.RawJson;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads what a job may take: {@code budget}, {@code max_turns}, {@code not_before}. */
final class ReadTerms {
  static final Duration DEADLINE = Duration.ofMinutes(30);
  static final Duration MIN_DEADLINE = Duration.ofSeconds(1);
  static final Duration MAX_DEADLINE = Duration.ofDays(7);
  static final Duration MAX_WAIT = Duration.ofMinutes(10);
  static final Duration ATTEMPT_TIMEOUT = Duration.ofMinutes(5);
  static final Duration MIN_ATTEMPT_TIMEOUT = Duration.ofSeconds(1);
  static final Duration MAX_ATTEMPT_TIMEOUT = Duration.ofHours(1);
  static final int ATTEMPTS = 4;
  static final int MAX_ATTEMPTS = 20;
  static final int TURNS = 8;
  static final int MAX_TURNS = 64;
  static final Duration MAX_AHEAD = Duration.ofDays(30);

  private final InstantSource clock;

  ReadTerms(InstantSource clock) {
    this.clock = clock;
  }

  /** The terms; of use only if there is no fault. */
  NewJob.Terms of(RequestBody body, Faults faults) {
    Map<String, Field> budget = budget(body, faults);
    Duration deadline =
        read(budget, "deadline")
            .flatMap(field -> field.duration(MIN_DEADLINE, MAX_DEADLINE))
            .orElse(DEADLINE);
    Duration maxWait =
        read(budget, "max_wait")
            .flatMap(field -> field.duration(Duration.ZERO, deadline))
            .orElse(least(MAX_WAIT, deadline));
    Duration attemptTimeout =
        read(budget, "attempt_timeout")
            .flatMap(
                field -> field.duration(MIN_ATTEMPT_TIMEOUT, least(MAX_ATTEMPT_TIMEOUT, deadline)))
            .orElse(least(ATTEMPT_TIMEOUT, deadline));
    int attempts =
        read(budget, "max_attempts").flatMap(f -> f.integer(1, MAX_ATTEMPTS)).orElse(ATTEMPTS);
    int turns =
        body.member("max_turns")
            .flatMap(value -> new Field("max_turns", value, faults).integer(1, MAX_TURNS))
            .orElse(TURNS);
    return new NewJob.Terms(
        new Budget(attempts, turns, maxWait, attemptTimeout), deadline, notBefore(body, faults));
  }

  private Optional<Instant> notBefore(RequestBody body, Faults faults) {
    Optional<Field> field =
        body.member("not_before").map(value -> new Field("not_before", value, faults));
    Optional<Instant> at = field.flatMap(Field::instant);
    Instant now = clock.instant();
    if (at.isPresent() && at.get().isAfter(now.plus(MAX_AHEAD))) {
      return field.orElseThrow().fault("must be at most 30 days ahead");
    }
    return at.filter(now.minus(MAX_AHEAD)::isBefore);
  }

  private static Map<String, Field> budget(RequestBody body, Faults faults) {
    var fields = new HashMap<String, Field>();
    body.member("budget")
        .map(value -> new Field("budget", value, faults))
        .ifPresent(
            budget ->
                budget
                    .of(RawJson.Kind.OBJECT)
                    .ifPresent(
                        object ->
                            object
                                .members()
                                .forEach(member -> put(fields, member, budget.in(member)))));
    return fields;
  }

  private static void put(Map<String, Field> fields, RawJson.Member member, Field field) {
    switch (member.name()) {
      case "deadline", "max_wait", "max_attempts", "attempt_timeout" -> {
        if (member.value().kind() != RawJson.Kind.NULL) {
          fields.put(member.name(), field);
        }
      }
      default -> field.fault("is not a member of budget");
    }
  }

  private static Optional<Field> read(Map<String, Field> fields, String name) {
    return Optional.ofNullable(fields.get(name));
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
