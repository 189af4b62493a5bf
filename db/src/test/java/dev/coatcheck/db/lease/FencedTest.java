package dev.coatcheck.db.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.lease.LeaveJob.LastAct;
import dev.coatcheck.db.step.TurnRecord;
import dev.coatcheck.fixture.DatabasePerClass;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** Every fenced write, under an epoch that has passed, for every state of its job. */
class FencedTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  /** What each does and says; the name of a method with several ways has one entry for each. */
  private static final Map<String, Write> WRITES =
      Map.of(
          "AttemptLedger.open",
          (stores, job) -> stores.attempts.open(job.lease(), 1, 2),
          "AttemptLedger.pause",
          (stores, job) ->
              stores.attempts.pause(job.lease(), LeaseStores.refused(1), Duration.ofSeconds(1)),
          "LeaveJob.leave, ended",
          (stores, job) ->
              stores.leave.leave(
                  job,
                  LeaseStores.completed(),
                  new LastAct(
                      LeaseStores.refused(1), new TurnRecord(1, 1, new byte[] {'{', '}'}, "stop"))),
          "LeaveJob.leave, parked",
          (stores, job) ->
              stores.leave.leave(
                  job,
                  new Departure.Parked(Duration.ofSeconds(5), "rate_limited", "429"),
                  new LastAct(LeaseStores.refused(1), null)),
          "LeaveJob.leave, released",
          (stores, job) -> stores.leave.leave(job, new Departure.Released(), LastAct.none()),
          "RenewLeases.renew",
          (stores, job) ->
              stores.renew.renew(List.of(job.lease())).renewed().isEmpty()
                  ? Written.LEASE_LOST
                  : Written.YES);

  private LeaseStores stores;

  @FunctionalInterface
  private interface Write {
    Written under(LeaseStores stores, LeasedJob job);
  }

  @BeforeEach
  void open() {
    stores = new LeaseStores(DATABASE.get());
  }

  @AfterEach
  void close() {
    stores.close();
  }

  static Stream<Arguments> cases() {
    return WRITES.keySet().stream()
        .sorted()
        .flatMap(write -> Arrays.stream(JobStatus.values()).map(s -> Arguments.of(write, s)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_write_under_a_passed_epoch_says_so_and_changes_nothing(String write, JobStatus status) {
    LeasedJob job = stores.acquired();
    move(job, status);
    Map<String, List<String>> before = everything();
    assertThat(Objects.requireNonNull(WRITES.get(write)).under(stores, job))
        .isEqualTo(Written.LEASE_LOST);
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void the_same_writes_under_the_epoch_of_the_moment_are_done() {
    WRITES.forEach(
        (name, write) -> {
          LeasedJob job = stores.acquired();
          Map<String, List<String>> before = everything();
          assertThat(write.under(stores, job)).as(name).isEqualTo(Written.YES);
          assertThat(everything()).as(name).isNotEqualTo(before);
        });
  }

  @Test
  void no_fenced_write_is_forgotten_here() throws Exception {
    Set<String> listed = new TreeSet<>();
    WRITES.keySet().forEach(name -> listed.add(name.replaceFirst(",.*", "")));
    assertThat(fenced()).isNotEmpty().isEqualTo(listed);
  }

  /** Somebody else has the job since, and brought it into that state. */
  private void move(LeasedJob job, JobStatus status) {
    JobId id = job.lease().job();
    boolean runs = status == JobStatus.IN_PROGRESS;
    stores.set(
        id,
        "epoch = epoch + 1, status = '%s', lease_owner = %s, lease_expires_at = %s, ended_at = %s"
            .formatted(
                status.text(),
                runs ? "lease_owner" : "null",
                runs ? "lease_expires_at" : "null",
                status.isOpen() ? "null" : "now()"));
  }

  /** All rows of all tables. */
  private Map<String, List<String>> everything() {
    List<String> tables =
        stores
            .database
            .sql()
            .sql(
                "select tablename from pg_tables where schemaname = 'public' and tablename <> 'flyway_schema_history'")
            .query((row, number) -> row.getString(1))
            .list();
    var rows = new TreeMap<String, List<String>>();
    Function<String, List<String>> read =
        table ->
            stores
                .database
                .sql()
                .sql("select row_to_json(row)::text from " + table + " as row order by 1")
                .query((row, number) -> row.getString(1))
                .list();
    tables.forEach(table -> rows.put(table, read.apply(table)));
    return rows;
  }

  private static Set<String> fenced() throws IOException, ClassNotFoundException {
    Set<String> found = new TreeSet<>();
    Resource[] classes =
        new PathMatchingResourcePatternResolver()
            .getResources("classpath*:dev/coatcheck/db/**/*.class");
    for (Resource resource : classes) {
      String path = resource.getURL().getPath();
      String name = path.substring(path.lastIndexOf("dev/coatcheck/"), path.length() - 6);
      if (name.endsWith("-info")) {
        continue;
      }
      Class<?> type =
          Class.forName(name.replace('/', '.'), false, FencedTest.class.getClassLoader());
      for (Method method : type.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Fenced.class)) {
          found.add(type.getSimpleName() + "." + method.getName());
        }
      }
    }
    return found;
  }
}
