package dev.coatcheck.db.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndCodeTest {
  @Test
  void these_may_succeed_later_and_no_others() {
    assertThat(Arrays.stream(EndCode.values()).filter(c -> c.retryable(Optional.of(200))))
        .containsExactlyInAnyOrder(
            EndCode.ATTEMPTS_EXHAUSTED,
            EndCode.RETRY_AFTER_TOO_LONG,
            EndCode.DEADLINE_EXCEEDED,
            EndCode.INVALID_RESPONSE);
  }

  @Test
  void an_unusable_redirect_would_come_again() {
    assertThat(EndCode.INVALID_RESPONSE.retryable(Optional.of(302))).isFalse();
    assertThat(EndCode.ATTEMPTS_EXHAUSTED.retryable(Optional.of(503))).isTrue();
  }
}
