package dev.coatcheck.chaos;

import dev.coatcheck.chaos.Event.Kind;
import dev.coatcheck.chaos.Event.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Compares what callers saw with what was promised to them. */
final class CheckHistory {
  private static final Duration MOST_FOR_503 = Duration.ofSeconds(2);
  private static final Duration MOST_TO_BE_READY = Duration.ofSeconds(10);
  private static final Set<Integer> OF_A_SUBMIT = Set.of(0, 200, 202, 503);
  private static final Set<Integer> OF_OTHER_BODY = Set.of(0, 422, 503);
  private static final Set<Integer> OF_A_KNOWN_JOB = Set.of(0, 200, 503);

  private final List<Event> history;
  private final Map<String, Row> rows;
  private final List<Outage> outages;

  /** A job as the database has it in the end. */
  record Row(String id, String status, String errorCode) {}

  /**
   * @param rows by idempotency key
   */
  CheckHistory(List<Event> history, Map<String, Row> rows, List<Outage> outages) {
    this.history = List.copyOf(history);
    this.rows = Map.copyOf(rows);
    this.outages = List.copyOf(outages);
  }

  List<Check> all() {
    return List.of(
        nothingIsLost(),
        oneOutcome(),
        oneJobPerKey(),
        honestWhileAway(),
        quickWhileAway(),
        readyAgain());
  }

  private Map<String, List<Event>> byKey(Kind... kinds) {
    var which = Set.of(kinds);
    return history.stream()
        .filter(event -> which.contains(event.kind()))
        .collect(Collectors.groupingBy(Event::key, TreeMap::new, Collectors.toList()));
  }

  private Check nothingIsLost() {
    var broken = new ArrayList<String>();
    long accepted = 0;
    for (var event : history) {
      var seen = event.seen();
      if (event.isAccepted() && seen != null) {
        accepted++;
        var row = rows.get(event.key());
        if (row == null || !row.id.equals(seen.id()) || !new Seen("", row.status, "").isEnded()) {
          broken.add(event + ", but the database has " + row);
        }
      }
      if ((event.kind() == Kind.POLL || event.kind() == Kind.CANCEL)
          && !OF_A_KNOWN_JOB.contains(event.status())) {
        broken.add("of a job that was accepted: " + event);
      }
    }
    return new Check("I1", "what was accepted has ended", accepted + " acceptances", broken);
  }

  private Check oneOutcome() {
    var broken = new ArrayList<String>();
    int looks = 0;
    for (var events : byKey(Kind.SUBMIT, Kind.POLL, Kind.CANCEL).values()) {
      var seen =
          events.stream()
              .filter(event -> event.seen() != null)
              .sorted(Comparator.comparingLong(Event::start))
              .toList();
      looks += seen.size();
      seen.stream()
          .filter(event -> event.job().filter(Seen::isEnded).isPresent())
          .min(Comparator.comparingLong(Event::end))
          .ifPresent(end -> broken.addAll(differing(end, seen)));
    }
    return new Check("I2", "an end once seen is seen for ever", looks + " looks", broken);
  }

  private static List<String> differing(Event end, List<Event> seen) {
    return seen.stream()
        .filter(event -> event.start() > end.end())
        .filter(event -> !outcome(event).equals(outcome(end)))
        .map(event -> "first " + end + ", then " + event)
        .toList();
  }

  private static String outcome(Event event) {
    return event.job().map(Seen::outcome).orElse("");
  }

  private Check oneJobPerKey() {
    var broken = new ArrayList<String>();
    var submits = byKey(Kind.SUBMIT);
    submits.forEach(
        (key, events) -> {
          var ids =
              events.stream().flatMap(e -> e.job().stream()).map(Seen::id).distinct().toList();
          if (ids.size() > 1) {
            broken.add(key + " has " + ids);
          }
        });
    for (var event : history) {
      if ((event.kind() == Kind.SUBMIT && !OF_A_SUBMIT.contains(event.status()))
          || (event.kind() == Kind.OTHER_BODY && !OF_OTHER_BODY.contains(event.status()))) {
        broken.add("answered wrongly: " + event);
      }
    }
    long repeated = submits.values().stream().filter(events -> events.size() > 1).count();
    return new Check(
        "I3",
        "one job a key",
        "%d keys, %d submitted more than once".formatted(submits.size(), repeated),
        broken);
  }

  private Check honestWhileAway() {
    var broken = new ArrayList<String>();
    for (var outage : outages) {
      history.stream()
          .filter(event -> outage.contains(event) && event.isAccepted())
          .forEach(event -> broken.add("accepted during " + outage.kind() + ": " + event));
      outage.falselyReady().forEach(app -> broken.add(app + " was ready during " + outage.kind()));
    }
    return new Check(
        "I16", "no 202 and not ready without a database", outages.size() + " outages", broken);
  }

  private Check readyAgain() {
    var broken =
        outages.stream()
            .filter(outage -> outage.recovery().compareTo(MOST_TO_BE_READY) > 0)
            .map(outage -> "not ready after " + outage.kind() + " for " + outage.recovery())
            .toList();
    return new Check(
        "I16", "ready within 10 s of the database's return", outages.size() + " outages", broken);
  }

  private Check quickWhileAway() {
    var probes = outages.stream().flatMap(outage -> outage.probes().stream()).toList();
    var broken =
        probes.stream()
            .filter(event -> event.status() != 503 || event.took().compareTo(MOST_FOR_503) > 0)
            .map(Event::toString)
            .toList();
    long slowest = probes.stream().mapToLong(event -> event.took().toMillis()).max().orElse(0);
    return new Check(
        "I16",
        "503 within 2 s without a database",
        "%d probes, slowest %d ms".formatted(probes.size(), slowest),
        broken);
  }
}
