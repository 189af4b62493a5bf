package dev.coatcheck.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.chaos.CheckHistory.Row;
import dev.coatcheck.chaos.Event.Kind;
import dev.coatcheck.chaos.Event.Seen;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checker finds each thing it is there to find. */
class CheckHistoryTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Seen QUEUED = new Seen("1", "queued", "");
  private static final Seen ENDED = new Seen("1", "completed", "answer");
  private static final Event TAKEN = event(Kind.SUBMIT, 1, 202, QUEUED);
  private static final Map<String, Row> ROWS = Map.of("key", new Row("1", "completed", ""));

  private static Event event(Kind kind, long second, int status, Seen seen) {
    return new Event(kind, "key", "app-1", second * SECOND, second * SECOND + 1, status, seen);
  }

  private static Event unanswered(Kind kind, long second, int status) {
    return new Event(kind, "key", "app-1", second * SECOND, second * SECOND + 1, status, null);
  }

  private static List<String> broken(Map<String, Row> rows, Event... events) {
    return broken(new CheckHistory(Arrays.asList(events), rows, List.of()));
  }

  private static List<String> broken(CheckHistory check) {
    return check.all().stream().flatMap(one -> one.broken().stream()).toList();
  }

  @Test
  void a_job_that_was_taken_and_ended_is_in_order() {
    assertThat(
            broken(
                ROWS,
                unanswered(Kind.SUBMIT, 0, 0),
                TAKEN,
                event(Kind.POLL, 2, 200, QUEUED),
                unanswered(Kind.POLL, 3, 503),
                event(Kind.POLL, 4, 200, ENDED),
                event(Kind.POLL, 5, 200, ENDED)))
        .isEmpty();
  }

  @Test
  void a_job_that_was_taken_and_is_not_there_is_found() {
    assertThat(broken(Map.of(), TAKEN)).hasSize(1);
    assertThat(broken(ROWS, TAKEN, unanswered(Kind.POLL, 2, 404))).hasSize(1);
  }

  @Test
  void a_job_that_never_ended_is_found() {
    assertThat(broken(Map.of("key", new Row("1", "queued", "")), TAKEN)).hasSize(1);
  }

  @Test
  void an_end_that_changed_is_found() {
    var other = new Seen("1", "completed", "another answer");
    assertThat(
            broken(ROWS, TAKEN, event(Kind.POLL, 4, 200, ENDED), event(Kind.POLL, 5, 200, other)))
        .hasSize(1);
    assertThat(
            broken(ROWS, TAKEN, event(Kind.POLL, 4, 200, ENDED), event(Kind.POLL, 5, 200, QUEUED)))
        .hasSize(1);
  }

  @Test
  void a_key_with_two_jobs_is_found() {
    var second = event(Kind.SUBMIT, 2, 202, new Seen("2", "queued", ""));
    assertThat(broken(ROWS, TAKEN, second)).anyMatch(line -> line.contains("[1, 2]"));
  }

  @Test
  void another_body_that_was_taken_is_found() {
    assertThat(broken(ROWS, TAKEN, unanswered(Kind.OTHER_BODY, 2, 422))).isEmpty();
    assertThat(broken(ROWS, TAKEN, event(Kind.OTHER_BODY, 2, 202, QUEUED))).hasSize(1);
    assertThat(broken(ROWS, TAKEN, unanswered(Kind.SUBMIT, 2, 500))).hasSize(1);
  }

  private static List<String> during(Outage outage, Event... events) {
    return broken(new CheckHistory(Arrays.asList(events), ROWS, List.of(outage)));
  }

  private static Outage outage(List<Event> probes, List<String> falselyReady) {
    return new Outage(Fault.Kind.CUT_DATABASE, 0, 9 * SECOND, probes, falselyReady, Duration.ZERO);
  }

  @Test
  void a_202_and_a_readiness_without_a_database_are_found() {
    assertThat(during(outage(List.of(), List.of()), TAKEN)).hasSize(1);
    assertThat(during(outage(List.of(), List.of("app-1")))).hasSize(1);
    assertThat(during(outage(List.of(), List.of()), event(Kind.SUBMIT, 10, 202, QUEUED))).isEmpty();
  }

  @Test
  void a_503_that_took_too_long_and_no_answer_at_all_are_found() {
    var quick = unanswered(Kind.SUBMIT, 1, 503);
    var slow = new Event(Kind.SUBMIT, "key", "app-1", 0, 3 * SECOND, 503, null);
    var none = unanswered(Kind.SUBMIT, 1, 0);
    assertThat(during(outage(List.of(quick), List.of()))).isEmpty();
    assertThat(during(outage(List.of(quick, slow, none), List.of()))).hasSize(2);
  }
}
