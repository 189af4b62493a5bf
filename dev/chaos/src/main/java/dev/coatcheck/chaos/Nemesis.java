package dev.coatcheck.chaos;

import dev.coatcheck.chaos.Fault.Kind;
import dev.coatcheck.chaos.Weather.Way;
import dev.coatcheck.db.probe.Checkpoint;
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

/** Does what the schedule says, one fault after the other; a paused worker stays so meanwhile. */
final class Nemesis {
  private static final Duration TIME_TO_FIND = Duration.ofSeconds(60);
  private static final Duration TIME_TO_RECOVER = Duration.ofSeconds(60);
  private static final Duration BUSY = Duration.ofSeconds(10);
  private static final long PROBE_MS = 700;
  private static final int MOST_PROBES = 100;
  private static final Weather.Silent ANSWERS_LOST = new Weather.Silent(Set.of(Way.TO_CLIENT));

  private static final Duration TIME_TO_SPARE = Duration.ofSeconds(25);
  private static final int MOST_POINTS_TRIED = 8;
  private static final int MOST_MORE_KILLS = 60;
  private static final int MOST_MORE_PAUSES = 3;
  private static final int JOBS_TO_GIVE_BACK = 6;
  private static final Duration TIME_TO_REFUSE = Duration.ofSeconds(5);
  private static final List<Checkpoint> POINTS_TO_PAUSE_AT =
      List.of(
          Checkpoint.K5_REPLIED,
          Checkpoint.K12_ENDING,
          Checkpoint.K1_ACQUIRED,
          Checkpoint.K3_SENT,
          Checkpoint.K6_RECORDED,
          Checkpoint.K17_RENEWED);
  private static final Weather.Slow SLOW = new Weather.Slow(Duration.ofMillis(500), 20_000);
  private static final List<Duration> JUMPS =
      List.of(
          Duration.ofHours(1),
          Duration.ofHours(-1),
          Duration.ofDays(1),
          Duration.ofDays(-1),
          Duration.ofMinutes(5),
          Duration.ofSeconds(-10));

  private final Cluster cluster;
  private final Fleet fleet;
  private final Map<Kind, Integer> fired = new EnumMap<>(Kind.class);
  private final List<Outage> outages = new ArrayList<>();
  private final List<Instant> stops = new ArrayList<>();
  private final List<String> diary = new CopyOnWriteArrayList<>();
  private final Afflictions afflictions = new Afflictions();
  private final Points workerPoints;
  private final Points appPoints;
  private final StrikeAtCheckpoint strike =
      new StrikeAtCheckpoint(
          new StrikeAtCheckpoint.Provoke() {
            @Override
            public void killAnother(Member spared) {
              cluster.workers().stream()
                  .filter(worker -> worker.isUp() && !worker.equals(spared))
                  .max(Comparator.comparingDouble(Member::runs))
                  .ifPresent(Nemesis.this::killForLeases);
            }

            @Override
            public void submit(String directive) {
              var offer = directive.startsWith("tool") ? DeclareTools.OFFER : "";
              fleet.probe(cluster.apps().getFirst(), "provoke-" + ++probes, directive, offer);
            }

            @Override
            public void emptyDispatches() {
              loseDispatches(0);
            }
          });
  private int probes;

  Nemesis(Cluster cluster, Fleet fleet, long seed) {
    this.cluster = cluster;
    this.fleet = fleet;
    this.workerPoints = Points.ofWorkers(seed);
    this.appPoints = Points.ofApps(seed);
  }

  /** How often a worker was killed at each named point. */
  Map<Checkpoint, Integer> workerPoints() {
    return workerPoints.hits();
  }

  /** How often an app was. */
  Map<Checkpoint, Integer> appPoints() {
    return appPoints.hits();
  }

  /** When workers were asked to stop. */
  List<Instant> stops() {
    return List.copyOf(stops);
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

  /**
   * Returns when everything is healed.
   *
   * @param atEachPoint kills that each named point of a worker is to see, beyond the schedule if
   *     need be
   */
  void carryOut(List<Fault> schedule, int atEachPoint) throws InterruptedException {
    for (var fault : schedule) {
      perform(fault);
      Cluster.rest(fault.rest().toMillis());
    }
    for (int i = 0; i < MOST_MORE_KILLS && workerPoints.least() < atEachPoint; i++) {
      perform(new Fault(Kind.KILL_AT_CHECKPOINT, i, Duration.ZERO, Duration.ZERO));
    }
    afflictions.awaitAll();
    for (int i = 0; i < MOST_MORE_PAUSES && !schedule.isEmpty() && !sawStaleWrite(); i++) {
      perform(new Fault(Kind.PAUSE_AT_CHECKPOINT, i, Size.PAST_A_LEASE, Duration.ZERO));
      afflictions.awaitAll();
    }
    note("healed");
  }

  private boolean sawStaleWrite() {
    return Cluster.holdsWithin(TIME_TO_REFUSE, () -> cluster.staleWrites() > 0);
  }

  private void perform(Fault fault) {
    switch (fault.kind()) {
      case KILL_WORKER -> killAndStart(fault, pick(spared(), fault));
      case KILL_APP -> killAndStart(fault, pick(cluster.apps(), fault));
      case KILL_AT_CHECKPOINT -> killAt(fault, spared(), workerPoints);
      case KILL_APP_AT_CHECKPOINT -> killAt(fault, cluster.apps(), appPoints);
      case PAUSE_WORKER -> pause(fault);
      case PAUSE_AT_CHECKPOINT -> pauseAt(fault);
      case ROLLING_RESTART -> restartAll(fault);
      case JUMP_CLOCK -> jumpClock(fault);
      case END_SESSIONS -> endSessions(fault);
      case PARTITION_WORKER -> afflict(fault, Weather.Silent.bothWays());
      case CUT_ONE_WAY ->
          afflict(
              fault,
              new Weather.Silent(Set.of(fault.target() % 2 == 0 ? Way.TO_CLIENT : Way.TO_SERVER)));
      case SLOW_WORKER -> afflict(fault, SLOW);
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

  /** The workers, once there is one to hit and another that can take over. */
  private List<Member> spared() {
    Cluster.holdsWithin(
        TIME_TO_SPARE,
        () ->
            cluster.workers().stream()
                    .filter(
                        worker -> !worker.isFaulty() && worker.isUpFor(Cluster.LEASE.dividedBy(2)))
                    .count()
                >= 2);
    return cluster.workers();
  }

  private void weather(Weather weather) {
    cluster.members().forEach(member -> member.database().set(weather));
  }

  /** The first from the fault's target on that is up; waits for one if none is. */
  private static Member pick(List<Member> members, Fault fault) {
    return up(members, fault).getFirst();
  }

  private static List<Member> up(List<Member> members, Fault fault) {
    int first = fault.target() % members.size();
    var turned = new ArrayList<>(members.subList(first, members.size()));
    turned.addAll(members.subList(0, first));
    var up = new ArrayList<Member>();
    Cluster.await(
        "a process to hit",
        TIME_TO_FIND,
        () -> {
          turned.stream().filter(member -> !member.isFaulty()).forEach(up::add);
          return !up.isEmpty();
        });
    return up;
  }

  private void killAndStart(Fault fault, Member victim) {
    victim.kill();
    hit(fault, victim.name());
    victim.start();
  }

  /** For others to reap what it held. */
  private void killForLeases(Member victim) {
    victim.kill();
    note(victim.name() + " killed, so that others reap");
    victim.start();
  }

  private void killAt(Fault fault, List<Member> members, Points points) {
    for (int i = 0; i < MOST_POINTS_TRIED; i++) {
      var point = points.next();
      var among = up(members, fault);
      var victim = strike.strike("halt", point, among);
      for (var member : among) {
        if (member.hasObeyed()) {
          member.kill();
          points.hit(point);
          note(member.name() + " died at " + point);
          member.start();
        } else if (member.isLeaving()) {
          member.stop();
          member.start();
        }
      }
      if (victim.isPresent()) {
        hit(fault, victim.get().name() + " at " + point);
        return;
      }
      note("nobody came to " + point);
    }
  }

  private void pauseAt(Fault fault) {
    afflictions.await();
    for (int i = 0; i < MOST_POINTS_TRIED; i++) {
      var point = POINTS_TO_PAUSE_AT.get((fault.target() + i) % POINTS_TO_PAUSE_AT.size());
      var victim = strike.strike("stop", point, up(spared(), fault).subList(0, 1));
      if (victim.isPresent()) {
        victim.get().isPaused();
        hit(fault, victim.get().name() + " at " + point);
        goOnAfter(fault, victim.get());
        return;
      }
      note("nobody came to " + point);
    }
  }

  private void goOnAfter(Fault fault, Member victim) {
    afflictions.endAfter(
        fault.lasts(),
        () -> {
          victim.resume();
          note("%s goes on".formatted(victim.name()));
        });
  }

  private void restartAll(Fault fault) {
    afflictions.await();
    for (var worker : cluster.workers()) {
      Cluster.await(worker.name(), TIME_TO_RECOVER, worker::isUp);
      keepBusy(worker);
      stops.add(Instant.now());
      worker.stop();
      worker.start();
    }
    hit(fault, "all workers, one after the other");
  }

  /** With calls that take longer than a stop waits for, so that it has something to give back. */
  private void keepBusy(Member worker) {
    for (int i = 0; i < JOBS_TO_GIVE_BACK; i++) {
      fleet.probe(cluster.apps().getFirst(), "long-" + ++probes, "ok delay=12s", "");
    }
    Cluster.holdsWithin(BUSY, () -> worker.runs() > 0);
  }

  private void jumpClock(Fault fault) {
    var jump = JUMPS.get(fault.target() % JUMPS.size());
    var worker = pick(cluster.workers(), fault);
    worker.order("clock " + jump.toMillis());
    hit(fault, worker.name() + " by " + jump);
  }

  private void afflict(Fault fault, Weather weather) {
    afflictions.await();
    var victim = pick(spared(), fault);
    victim.database().set(weather);
    hit(fault, victim.name());
    afflictions.endAfter(
        fault.lasts(),
        () -> {
          if (fault.target() % 2 == 0) {
            victim.database().set(new Weather.Cut());
          }
          victim.database().set(new Weather.Fair());
          note(victim.name() + " sees the database again");
        });
  }

  private void pause(Fault fault) {
    afflictions.await();
    Predicate<Member> busy = worker -> worker.runs() > 0;
    Cluster.holdsWithin(BUSY, () -> cluster.workers().stream().anyMatch(busy));
    var victim =
        up(spared(), fault).stream().max(Comparator.comparingDouble(Member::runs)).orElseThrow();
    double runs = victim.runs();
    victim.pause();
    hit(fault, "%s with %.0f runs".formatted(victim.name(), runs));
    goOnAfter(fault, victim);
  }

  private void endSessions(Fault fault) {
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

  private int number(String sql) {
    return cluster.sql().sql(sql).query(Integer.class).single();
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
    afflictions.await();
    cluster.databaseIsAway(true);
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
    cluster.databaseIsAway(false);
    note("the database is back");
  }

  private List<Event> probe(List<Member> apps, long until) {
    var asked = new ArrayList<Event>();
    while (System.nanoTime() - until < 0 && asked.size() < MOST_PROBES) {
      for (var app : apps) {
        asked.add(fleet.probe(app, "probe-" + ++probes, "ok", ""));
      }
      Cluster.rest(PROBE_MS);
    }
    return asked;
  }

  private void emptyDispatches(Fault fault) {
    int lost = loseDispatches(fault.target());
    if (lost > 0) {
      hit(fault, lost + " queued jobs lost their dispatch");
    }
  }

  /**
   * All that JobRunr keeps. A job that is to run soon makes sure that one is queued, and has a
   * dispatch to lose.
   */
  private int loseDispatches(int target) {
    var soon = Instant.now().plusSeconds(8);
    var apps = cluster.apps();
    fleet.probe(
        apps.get(target % apps.size()),
        "later-" + ++probes,
        "ok",
        ", \"not_before\": \"" + soon + "\"");
    return number(
        """
        with gone as (delete from jobrunr_jobs returning id),
        servers as (delete from jobrunr_backgroundjobservers),
        recurring as (delete from jobrunr_recurring_jobs),
        metadata as (delete from jobrunr_metadata)
        select count(*) from gone
        join job on job.status = 'queued' and job.dispatch_id::text::char(36) = gone.id
        """);
  }

  private void hit(Fault fault, String what) {
    fired.merge(fault.kind(), 1, Integer::sum);
    note(fault.kind() + " " + what);
  }

  private void note(String what) {
    diary.add(Instant.now() + " " + what);
  }
}
