package dev.coatcheck.db.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.CannotCreateTransactionException;

/** What is repeated until it is done, and what never will be. */
class InsistTest {
  private final List<Duration> rests = new ArrayList<>();
  private final Insist insist = new Insist(rests::add);
  private final AtomicInteger calls = new AtomicInteger();

  /** Fails once, then returns. */
  private String failingOnce(RuntimeException failure) {
    if (calls.incrementAndGet() == 1) {
      throw failure;
    }
    return "done";
  }

  /** As the templates translate it. */
  private static RuntimeException failure(String state) {
    var cause = new SQLException("no", state);
    RuntimeException translated =
        new SQLExceptionSubclassTranslator().translate("work", "select", cause);
    return translated == null ? new UncategorizedSQLException("work", "select", cause) : translated;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "55P03", "25006", "XX000", "08006", "08003", "40001", "40P01", "53100", "53300", "57014",
        "57P01", "57P03", "58030", "25P02", "25P03"
      })
  void a_lock_timeout_a_failover_or_an_inner_fault_of_the_server_was_not_waited_out(String state)
      throws InterruptedException {
    assertThat(insist.on(() -> failingOnce(failure(state)), () -> false)).contains("done");
    assertThat(calls).hasValue(2);
    assertThat(rests).hasSize(1);
  }

  @Test
  void no_connection_and_no_state_mean_that_the_database_is_away() throws InterruptedException {
    var none = new CannotCreateTransactionException("no connection", new SQLException("timed out"));
    assertThat(insist.on(() -> failingOnce(none), () -> false)).contains("done");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0A000", "21000", "22P05", "23505", "42P01"})
  void a_statement_that_is_wrong_is_not_repeated(String state) {
    RuntimeException wrong = failure(state);
    assertThatThrownBy(() -> insist.on(() -> failingOnce(wrong), () -> false)).isSameAs(wrong);
    assertThat(rests).isEmpty();
  }

  @Test
  void a_bug_is_not_repeated() {
    var bug = new IllegalStateException("a bug");
    assertThatThrownBy(() -> insist.on(() -> failingOnce(bug), () -> false)).isSameAs(bug);
  }

  @Test
  void it_is_given_up_when_that_is_said() throws InterruptedException {
    assertThat(insist.on(() -> failingOnce(failure("55P03")), () -> true)).isEmpty();
    assertThat(rests).isEmpty();
  }
}
