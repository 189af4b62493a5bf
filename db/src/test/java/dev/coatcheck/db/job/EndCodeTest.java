package dev.coatcheck.db.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class EndCodeTest {
  @Test
  void these_may_succeed_later_and_no_others() {
    assertThat(Arrays.stream(EndCode.values()).filter(EndCode::isRetryable))
        .containsExactlyInAnyOrder(
            EndCode.ATTEMPTS_EXHAUSTED,
            EndCode.RETRY_AFTER_TOO_LONG,
            EndCode.DEADLINE_EXCEEDED,
            EndCode.INVALID_RESPONSE);
  }
}
