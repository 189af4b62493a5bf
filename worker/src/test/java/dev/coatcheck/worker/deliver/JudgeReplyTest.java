package dev.coatcheck.worker.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.delivery.TryOutcome;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.EgressResult;
import dev.coatcheck.worker.egress.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JudgeReplyTest {
  private static final Instant NOW = Instant.parse("2026-11-30T00:00:00Z");
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofHours(5),
          Duration.ofHours(10),
          Duration.ofHours(14),
          Duration.ofHours(20),
          Duration.ofHours(24));

  private final JudgeReply judge = new JudgeReply(new Schedule(new SplittableRandom(7)), () -> NOW);

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 299})
  void every_2xx_is_taken(int status) {
    assertThat(judge.judge(answer(status, Map.of()), 0))
        .isEqualTo(new TryOutcome.Delivered(status));
  }

  @Test
  void the_pauses_are_those_of_the_contract_with_up_to_a_tenth_more() {
    for (int failures = 0; failures < PAUSES.size(); failures++) {
      Duration least = PAUSES.get(failures);
      for (int i = 0; i < 100; i++) {
        assertThat(pause(answer(500, Map.of()), failures))
            .isBetween(least, least.plus(least.dividedBy(10)));
      }
    }
    assertThat(judge.judge(answer(500, Map.of()), 9))
        .isEqualTo(new TryOutcome.Dead(500, "the endpoint answered 500"));
  }

  @Test
  void gone_is_the_end_at_once() {
    assertThat(judge.judge(answer(410, Map.of("retry-after", "5")), 0))
        .isEqualTo(new TryOutcome.Dead(410, "the endpoint is gone"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "120 | 120",
        "1 | 5",
        "0 | 5",
        "-5 | 5",
        "soon | 5",
        "1e9 | 5",
        "999999999 | 86400",
        "Mon, 30 Nov 2026 00:10:00 GMT | 600",
        "Sun, 29 Nov 2026 00:10:00 GMT | 5",
        "Sat, 30 Nov 2126 00:10:00 GMT | 86400"
      })
  void a_pause_that_is_asked_for_is_the_least(String asked, long seconds) {
    assertThat(pause(answer(503, Map.of("retry-after", asked)), 0).toMillis())
        .isBetween(seconds * 1000, seconds * 1000 + 500);
  }

  @Test
  void a_date_is_meant_by_the_clock_of_who_says_it() {
    var headers =
        Map.of(
            "retry-after",
            "Mon, 30 Nov 2026 05:01:00 GMT",
            "date",
            "Mon, 30 Nov 2026 05:00:00 GMT");
    assertThat(pause(answer(503, headers), 0).toSeconds()).isEqualTo(60);
  }

  @ParameterizedTest
  @EnumSource(EgressResult.Loss.class)
  void an_answer_whose_body_did_not_end_was_tried_again_whatever_its_status(
      EgressResult.Loss cause) {
    assertThat(judge.judge(lost(cause, 200, Headers.NONE), 0))
        .isEqualTo(new TryOutcome.Delivered(200));
    assertThat(judge.judge(lost(cause, 410, Headers.NONE), 0))
        .isEqualTo(new TryOutcome.Dead(410, "the endpoint is gone"));
    assertThat(judge.judge(lost(cause, 500, Headers.NONE), 0))
        .isInstanceOfSatisfying(
            TryOutcome.Failed.class,
            failed -> assertThat(failed.error()).isEqualTo("the endpoint answered 500"));
    var asks = new Headers(Map.of("retry-after", List.of("120")));
    assertThat(pause(lost(cause, 503, asks), 0)).isGreaterThanOrEqualTo(Duration.ofMinutes(2));
  }

  @ParameterizedTest
  @EnumSource(EgressResult.Loss.class)
  void without_a_status_it_is_tried_again(EgressResult.Loss cause) {
    assertThat(judge.judge(new EgressResult.Lost(cause, null, Duration.ZERO), 0))
        .isInstanceOf(TryOutcome.Failed.class);
  }

  private Duration pause(EgressResult result, int failures) {
    return ((TryOutcome.Failed) judge.judge(result, failures)).pause();
  }

  private static EgressResult answer(int status, Map<String, String> headers) {
    var fields = new HashMap<String, List<String>>();
    headers.forEach((name, value) -> fields.put(name, List.of(value)));
    return new EgressResult.Response(status, new Headers(fields), Body.EMPTY, Duration.ZERO);
  }

  private static EgressResult lost(EgressResult.Loss cause, int status, Headers headers) {
    return new EgressResult.Lost(
        cause, new EgressResult.Head(status, headers, Body.EMPTY), Duration.ZERO);
  }
}
