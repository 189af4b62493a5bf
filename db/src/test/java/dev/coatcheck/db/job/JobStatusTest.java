package dev.coatcheck.db.job;

import static dev.coatcheck.db.job.JobStatus.CANCELLED;
import static dev.coatcheck.db.job.JobStatus.COMPLETED;
import static dev.coatcheck.db.job.JobStatus.EXPIRED;
import static dev.coatcheck.db.job.JobStatus.FAILED;
import static dev.coatcheck.db.job.JobStatus.INCOMPLETE;
import static dev.coatcheck.db.job.JobStatus.IN_PROGRESS;
import static dev.coatcheck.db.job.JobStatus.QUEUED;
import static dev.coatcheck.db.job.JobStatus.REQUIRES_ACTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class JobStatusTest {
  private static final Map<JobStatus, Set<JobStatus>> ALLOWED =
      Map.of(
          QUEUED, Set.of(IN_PROGRESS, CANCELLED, EXPIRED),
          IN_PROGRESS,
              Set.of(QUEUED, REQUIRES_ACTION, COMPLETED, INCOMPLETE, FAILED, CANCELLED, EXPIRED),
          REQUIRES_ACTION, Set.of(QUEUED, CANCELLED, EXPIRED));

  static Stream<Arguments> pairs() {
    return Arrays.stream(JobStatus.values())
        .flatMap(from -> Arrays.stream(JobStatus.values()).map(to -> Arguments.of(from, to)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void every_pair_is_allowed_or_not_as_the_table_says(JobStatus from, JobStatus to) {
    assertThat(from.next().contains(to))
        .isEqualTo(ALLOWED.getOrDefault(from, Set.of()).contains(to));
  }

  @ParameterizedTest
  @EnumSource
  void what_is_open_has_a_next_state_and_what_has_ended_has_none(JobStatus status) {
    assertThat(status.next().isEmpty()).isNotEqualTo(status.isOpen());
  }

  @ParameterizedTest
  @EnumSource
  void its_text_is_read_back(JobStatus status) {
    assertThat(JobStatus.of(status.text())).isEqualTo(status);
  }

  @Test
  void an_unknown_text_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> JobStatus.of("Queued"));
  }
}
