package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.ClaimFenced;
import dev.coatcheck.db.lease.Fenced;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.lease.Written;
import org.junit.jupiter.api.Test;

/** The rules about fenced writes find what they are there to find. */
class FencedRulesTest {
  @Test
  void a_fenced_write_that_takes_no_lease_is_found() {
    assertThat(breaks(ArchitectureTest.fenced_writes_take_a_lease, ByIdAlone.class)).isTrue();
    assertThat(breaks(ArchitectureTest.fenced_writes_take_a_lease, InOrder.class)).isFalse();
  }

  @Test
  void a_write_that_is_not_marked_as_fenced_is_found() {
    assertThat(breaks(ArchitectureTest.what_says_written_is_fenced, Unmarked.class)).isTrue();
    assertThat(breaks(ArchitectureTest.what_says_written_is_fenced, InOrder.class)).isFalse();
  }

  private static boolean breaks(ArchRule rule, Class<?> type) {
    JavaClasses classes = new ClassFileImporter().importClasses(type);
    return rule.evaluate(classes).hasViolation();
  }

  /** Takes the job's id, and so writes whoever has the job. */
  static final class ByIdAlone {
    @Fenced
    public Written end(JobId job) {
      return job.toString().isEmpty() ? Written.LEASE_LOST : Written.YES;
    }
  }

  /** Lacks the mark. */
  static final class Unmarked {
    public Written end(Lease lease) {
      return lease.toString().isEmpty() ? Written.LEASE_LOST : Written.YES;
    }
  }

  static final class InOrder {
    @ClaimFenced
    public Written record(Lease lease) {
      return end(lease);
    }

    @Fenced
    public Written end(Lease lease) {
      return lease.toString().isEmpty() ? Written.LEASE_LOST : Written.YES;
    }
  }
}
