package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.fixture.TestDatabase;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Somebody holds a lock on the jobs, as a change of the schema by hand does. */
class LockedTableTest {
  private static final String BODY = "{\"model\":\"m\",\"prompt\":\"hi\"}";
  private static final Duration TOLD_WITHIN = Duration.ofSeconds(2);

  /** More than there are connections. */
  private static final int CALLERS = 30;

  private record Told(int status, Duration after) {}

  @Test
  void callers_of_a_locked_table_are_told_in_time_and_do_not_pile_up() throws Exception {
    TestDatabase database = TestDatabase.create();
    try (RunningApp app = RunningApp.startOn(database);
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        var holder =
            DriverManager.getConnection(
                database.jdbcUrl(), database.username(), database.password())) {
      Http acme = app.as("acme");
      String id = acme.submit(BODY).text("/id");
      holder.setAutoCommit(false);
      try (var lock = holder.createStatement()) {
        lock.execute("lock table job in access exclusive mode");
      }

      List<Future<Told>> callers = new ArrayList<>();
      IntStream.range(0, CALLERS)
          .forEach(
              n ->
                  callers.add(
                      threads.submit(
                          () ->
                              timed(
                                  () ->
                                      n % 2 == 0
                                          ? acme.submit(BODY)
                                          : acme.get("/v1/jobs/" + id)))));
      for (Future<Told> caller : callers) {
        Told told = caller.get();
        assertThat(told.status()).isEqualTo(503);
        assertThat(told.after()).isLessThan(TOLD_WITHIN);
      }
      holder.rollback();

      await().atMost(Duration.ofSeconds(10)).until(() -> acme.submit(BODY).status() == 202);
      assertThat(acme.get("/v1/jobs/" + id).status()).isEqualTo(200);
    }
  }

  private static Told timed(Supplier<Http.Reply> request) {
    long start = System.nanoTime();
    Http.Reply reply = request.get();
    return new Told(reply.status(), Duration.ofNanos(System.nanoTime() - start));
  }
}
