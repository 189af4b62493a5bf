package dev.coatcheck.chaos;

import dev.coatcheck.chaos.Fault.Kind;
import dev.coatcheck.chaos.Weather.Way;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/** Does what the schedule says, one fault after the other; a paused worker stays so meanwhile. */
final class Nemesis {
  private static final Duration TIME_TO_FIND = Duration.ofSeconds(60);
  private static final Duration TIME_TO_RECOVER = Duration.ofSeconds(60);
  private static final Duration BUSY = Duration.ofSeconds(10);
  private static final long PROBE_MS = 700;
  private static final int MOST_PROBES = 100;
  private static final Weather.Silent ANSWERS_LOST = new Weather.Silent(Set.of(Way.TO_CLIENT));

  private final Cluster cluster;
  private final Fleet fleet;
  private final Map<Kind, Integer> fired = new EnumMap<>(Kind.class);
  private final List<Outage> outages = new ArrayList<>();
  private final List<String> diary = new CopyOnWriteArrayList<>();
  private final List<Thread> pauses = new ArrayList<>();
  private int probes;

  Nemesis(Cluster cluster, Fleet fleet) {
    this.cluster = cluster;
    this.fleet = fleet;
  }

  /** How often each fault is known to have hit. */
  Map<Kind, Integer> fired() {
    return Map.copyOf(fired);
  }

  List<Outage> outages() {
    return List.copyOf(outages);
  }

  /** What was done, and when. */
  List<String> diary() {
    return List.copyOf(diary);
  }

  /** Returns when everything is healed. */
  void carryOut(List<Fault> schedule) throws InterruptedException, SQLException {
    for (var fault : schedule) {
      perform(fault);
      Cluster.rest(fault.rest().toMillis());
    }
    for (var pause : pauses) {
      pause.join();
    }
    note("healed");
  }

  private void perform(Fault fault) throws SQLException {
    switch (fault.kind()) {
      case KILL_WORKER -> killAndStart(fault, pick(cluster.workers(), fault));
      case KILL_APP -> killAndStart(fault, pick(cluster.apps(), fault));
      case PAUSE_WORKER -> pause(fault);
      case END_SESSIONS -> endSessions(fault);
      case PARTITION_WORKER -> partition(fault, pick(cluster.workers(), fault));
      case LOSE_DATABASE_ANSWERS -> {
        var app = pick(cluster.apps(), fault);
        loseAnswers(fault, app, app.database());
      }
      case LOSE_ANSWERS -> {
        var app = pick(cluster.apps(), fault);
        loseAnswers(fault, app, app.front());
      }
      case CUT_DATABASE ->
          outage(
              fault,
              () -> weather(fault.target() % 2 == 0 ? new Weather.Cut() : new Weather.Refused()),
              () -> weather(new Weather.Fair()));
      case RESTART_DATABASE -> outage(fault, cluster.postgres()::stop, cluster.postgres()::start);
      case CRASH_DATABASE -> outage(fault, cluster.postgres()::crash, cluster.postgres()::start);
      case EMPTY_DISPATCHES -> emptyDispatches(fault);
    }
  }

  private void weather(Weather weather) {
    cluster.members().forEach(member -> member.database().set(weather));
  }

  /** The first from the fault's target on that is up; waits for one if none is. */
  private static Member pick(List<Member> members, Fault fault) {
    Cluster.await("a process to hit", TIME_TO_FIND, () -> members.stream().anyMatch(Member::isUp));
    int first = fault.target() % members.size();
    var turned = new ArrayList<>(members.subList(first, members.size()));
    turned.addAll(members.subList(0, first));
    return turned.stream().filter(Member::isUp).findFirst().orElseThrow();
  }

  private void killAndStart(Fault fault, Member victim) {
    victim.kill();
    hit(fault, victim.name());
    victim.start();
  }

  private void pause(Fault fault) {
    Predicate<Member> busy = worker -> inFlight(worker) > 0;
    Cluster.holdsWithin(BUSY, () -> cluster.workers().stream().anyMatch(busy));
    pick(cluster.workers(), fault);
    var victim =
        cluster.workers().stream()
            .filter(Member::isUp)
            .max(Comparator.comparingDouble(Nemesis::inFlight))
            .orElseThrow();
    double runs = inFlight(victim);
    victim.pause();
    hit(fault, "%s with %.0f runs".formatted(victim.name(), runs));
    pauses.add(
        Thread.ofVirtual()
            .start(
                () -> {
                  Cluster.rest(fault.lasts().toMillis());
                  victim.resume();
                  note("%s goes on".formatted(victim.name()));
                }));
  }

  /** The least of three looks: a look for work holds slots for a moment. */
  private static double inFlight(Member worker) {
    return DoubleStream.generate(() -> worker.now("coatcheck_runs_in_flight"))
        .limit(3)
        .min()
        .orElse(0);
  }

  private void endSessions(Fault fault) throws SQLException {
    int ended =
        number(
            """
            select count(*) filter (where pg_terminate_backend(pid)) from pg_stat_activity
            where application_name like 'coatcheck%' and pid <> pg_backend_pid()
            """);
    if (ended > 0) {
      hit(fault, ended + " sessions");
    }
  }

  private int number(String sql) throws SQLException {
    try (var connection = cluster.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private void partition(Fault fault, Member victim) {
    victim.database().set(Weather.Silent.bothWays());
    hit(fault, victim.name());
    Cluster.rest(fault.lasts().toMillis());
    if (fault.target() % 2 == 0) {
      victim.database().set(new Weather.Cut());
    }
    victim.database().set(new Weather.Fair());
    note(victim.name() + " sees the database again");
  }

  private void loseAnswers(Fault fault, Member app, FaultProxy way) {
    int before = way.connectionsReset();
    way.set(ANSWERS_LOST);
    Cluster.rest(fault.lasts().toMillis());
    way.set(new Weather.Cut());
    way.set(new Weather.Fair());
    if (way.connectionsReset() > before) {
      hit(fault, app.name());
    }
  }

  private void outage(Fault fault, Runnable apply, Runnable heal) {
    apply.run();
    long applied = System.nanoTime();
    hit(fault, "the database is away");
    var up = cluster.apps().stream().filter(Member::isUp).toList();
    var asked = probe(up, applied + fault.lasts().toNanos());
    var falselyReady = up.stream().filter(Member::isReady).map(Member::name).toList();
    long healed = System.nanoTime();
    heal.run();
    long back = System.nanoTime();
    Cluster.holdsWithin(TIME_TO_RECOVER, () -> up.stream().allMatch(Member::isReady));
    var recovery = Duration.ofNanos(System.nanoTime() - back);
    outages.add(new Outage(fault.kind(), applied, healed, asked, falselyReady, recovery));
    note("the database is back");
  }

  private List<Event> probe(List<Member> apps, long until) {
    var asked = new ArrayList<Event>();
    while (System.nanoTime() - until < 0 && asked.size() < MOST_PROBES) {
      for (var app : apps) {
        asked.add(fleet.probe(app, "probe-" + ++probes, ""));
      }
      Cluster.rest(PROBE_MS);
    }
    return asked;
  }

  /** A job that is to run soon makes sure that one is queued, and has a dispatch to lose. */
  private void emptyDispatches(Fault fault) throws SQLException {
    var soon = Instant.now().plusSeconds(8);
    fleet.probe(
        pick(cluster.apps(), fault), "later-" + ++probes, ", \"not_before\": \"" + soon + "\"");
    int lost =
        number(
            """
            with gone as (delete from jobrunr_jobs returning id)
            select count(*) from gone
            join job on job.status = 'queued' and job.dispatch_id::text::char(36) = gone.id
            """);
    if (lost > 0) {
      hit(fault, lost + " queued jobs lost their dispatch");
    }
  }

  private void hit(Fault fault, String what) {
    fired.merge(fault.kind(), 1, Integer::sum);
    note(fault.kind() + " " + what);
  }

  private void note(String what) {
    diary.add(Instant.now() + " " + what);
  }
}
