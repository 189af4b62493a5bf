package dev.coatcheck.chaos;

import dev.coatcheck.processes.SimulatorProcess.Received;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Compares the provider's own ledger of what it was asked with our attempts. */
final class CheckLedger {
  private final List<Errand> errands;
  private final Map<String, Long> received;
  private final Map<String, Map<String, Integer>> attempts;

  private CheckLedger(
      List<Errand> errands,
      Map<String, Long> received,
      Map<String, Map<String, Integer>> attempts) {
    this.errands = errands;
    this.received = received;
    this.attempts = attempts;
  }

  static CheckLedger read(List<Errand> errands, List<Received> received, JdbcClient database) {
    return new CheckLedger(
        List.copyOf(errands),
        received.stream()
            .collect(Collectors.groupingBy(CheckLedger::marker, Collectors.counting())),
        attempts(database));
  }

  private static String marker(Received request) {
    return request.prompt().substring(0, request.prompt().indexOf('.') + 1);
  }

  private static Map<String, Map<String, Integer>> attempts(JdbcClient database) {
    var found = new HashMap<String, Map<String, Integer>>();
    database
        .sql(
            """
            select job.idempotency_key, attempt.state, count(*) from attempt
            join job on job.id = attempt.job_id and job.tenant_id = attempt.tenant_id
            group by 1, 2
            """)
        .query(
            row -> {
              found
                  .computeIfAbsent(row.getString(1), key -> new HashMap<>())
                  .put(row.getString(2), row.getInt(3));
            });
    return found;
  }

  List<Check> all() {
    return List.of(noneUnwritten(), noneInvented());
  }

  /** Each request was in our ledger before its socket opened. */
  private Check noneUnwritten() {
    var broken = new ArrayList<String>();
    for (var errand : errands) {
      long asked = received.getOrDefault(errand.marker(), 0L);
      if (asked > known(errand) + count(errand, "indeterminate")) {
        broken.add("%s was asked %d times, attempts %s".formatted(errand.key(), asked, of(errand)));
      }
    }
    long extra = total(this::known, this::asked);
    return new Check(
        "I8",
        "no call but answered, refused or indeterminate ones",
        "%d calls, %d of them indeterminate".formatted(total(e -> 0L, this::asked), extra),
        broken);
  }

  /** What we recorded as answered or refused was received. */
  private Check noneInvented() {
    var broken = new ArrayList<String>();
    for (var errand : errands) {
      if (asked(errand) < known(errand)) {
        broken.add(
            "%s was asked %d times only, attempts %s"
                .formatted(errand.key(), asked(errand), of(errand)));
      }
    }
    return new Check(
        "I13",
        "no answer but from the provider",
        total(e -> 0L, this::known) + " answers and refusals",
        broken);
  }

  private long total(Function<Errand, Long> less, Function<Errand, Long> more) {
    return errands.stream().mapToLong(errand -> more.apply(errand) - less.apply(errand)).sum();
  }

  private long asked(Errand errand) {
    return received.getOrDefault(errand.marker(), 0L);
  }

  private long known(Errand errand) {
    return count(errand, "answered") + count(errand, "refused");
  }

  private long count(Errand errand, String state) {
    return of(errand).getOrDefault(state, 0);
  }

  private Map<String, Integer> of(Errand errand) {
    return attempts.getOrDefault(errand.key(), Map.of());
  }
}
