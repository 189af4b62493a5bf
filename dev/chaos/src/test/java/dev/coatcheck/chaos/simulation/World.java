package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.time.Ids;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Everything that moves in one history. */
final class World {
  private static final int WORKERS = 3;
  private static final int HEALERS = 2;
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  final Lane lane;
  final Schedule schedule;
  final FaultProbe probe;
  final Ledger ledger;
  final Effects effects;
  final People people = new People(this);
  final Ids ids;
  private final Plot plot;
  private final Simulant outside = new Simulant("outside");
  private final List<SimulatedWorker> workers = new ArrayList<>();
  private final List<SimulatedWorker> everyWorker = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();
  private final Map<String, Scenario> scenarios = new LinkedHashMap<>();
  private final Map<JobId, String> names = new HashMap<>();
  private Simulant web = new Simulant("web");
  private final List<Simulant> healers = new ArrayList<>();
  private int born;
  private int eventsLeft;
  private boolean allEnded;
  private boolean settled;
  private final boolean losesDispatches;
  private final Set<String> stranded = new TreeSet<>();

  World(Lane lane, long seed, Plot plot) {
    this.lane = lane;
    this.plot = plot;
    this.losesDispatches =
        plot.events().stream().anyMatch(Plot.Event.LoseDispatches.class::isInstance);
    this.schedule = new Schedule(new Random(seed));
    this.probe = new FaultProbe(schedule, plot.strikes());
    for (int i = 0; i < plot.jobs().size(); i++) {
      scenarios.put("job-" + i + "-", plot.jobs().get(i));
    }
    this.ledger = new Ledger(scenarios);
    this.effects = new Effects(scenarios);
    this.ids = new Ids(clock(), new Random(schedule.random().nextLong()));
  }

  InstantSource clock() {
    return () -> BEGIN.plusNanos(schedule.now());
  }

  /** Puts everybody in place. */
  void begin() {
    for (int i = 0; i < WORKERS; i++) {
      workers.add(newWorker());
    }
    for (int i = 0; i < HEALERS; i++) {
      healers.add(newHealer());
    }
    schedule.spawn("jobrunr", outside, new Dispatcher(this)::run);
    schedule.spawn("supervisor", outside, this::supervise);
    schedule.spawn("people", outside, people::run);
    scenarios.forEach(
        (marker, scenario) -> {
          var client = new Client(this, marker, scenario);
          clients.add(client);
          schedule.spawn(marker, outside, client::run);
        });
    eventsLeft = plot.events().size();
    plot.events().forEach(event -> schedule.spawn("nemesis", outside, () -> happen(event)));
  }

  private SimulatedWorker newWorker() {
    var worker = new SimulatedWorker(this, "worker-" + ++born);
    everyWorker.add(worker);
    return worker;
  }

  private Simulant newHealer() {
    var healer = new Simulant("healer-" + ++born);
    schedule.spawn("healer", healer, new Healer(this)::run);
    return healer;
  }

  /** Replaces what has died, after a while, and looks whether all is done. */
  private void supervise() {
    while (true) {
      schedule.rest(LOOK);
      for (int i = 0; i < workers.size(); i++) {
        if (workers.get(i).process().isDead() && schedule.random().nextInt(6) == 0) {
          workers.set(i, newWorker());
          schedule.note("starts " + workers.get(i).process().name());
        }
      }
      for (int i = 0; i < healers.size(); i++) {
        if (healers.get(i).isDead() && schedule.random().nextInt(4) == 0) {
          healers.set(i, newHealer());
        }
      }
      look();
    }
  }

  private void look() {
    allEnded =
        allEnded || number("select count(*) from job where ended_at is not null") == clients.size();
    if (!losesDispatches) {
      neverStranded();
    }
    settled =
        allEnded
            && number(
                    """
                    select count(*) from jobrunr_jobs
                    where state in ('ENQUEUED', 'PROCESSING')
                      or state = 'SCHEDULED' and scheduledAt <= now() at time zone 'UTC'
                    """)
                == 0;
  }

  private int number(String sql) {
    return lane.database.outside().sql(sql).query(Integer.class).single();
  }

  /** A job and its dispatch are made in one transaction, so there is no moment without one. */
  private void neverStranded() {
    stranded.addAll(
        lane.database
            .outside()
            .sql(
                """
                select idempotency_key || ' is queued, and dispatch ' || dispatch_no || ' was not made' from job
                where status = 'queued'
                  and not exists (select from jobrunr_jobs where id = job.dispatch_id::text::char(36))
                """)
            .query((row, number) -> row.getString(1))
            .list());
  }

  Set<String> stranded() {
    return stranded;
  }

  private void happen(Plot.Event event) {
    schedule.rest(event.at());
    schedule.note("EVENT " + event);
    switch (event) {
      case Plot.Event.Kill _ -> busiest().ifPresent(this::kill);
      case Plot.Event.Stop _ -> busiest().ifPresent(SimulatedWorker::stop);
      case Plot.Event.Cancel cancel -> clients.get(cancel.job()).cancel();
      case Plot.Event.LoseDispatches _ -> loseDispatches();
    }
    eventsLeft--;
  }

  private Optional<SimulatedWorker> busiest() {
    return workers.stream()
        .filter(SimulatedWorker::isOpen)
        .max(Comparator.comparingInt(worker -> worker.process().runs()));
  }

  private void kill(SimulatedWorker worker) {
    probe.hit(worker.process().runs());
    worker.process().kill();
    schedule.note("killed " + worker.process().name());
  }

  private void loseDispatches() {
    int _ =
        lane.database
            .outside()
            .sql(
                """
                delete from jobrunr_jobs using job
                where jobrunr_jobs.id = job.dispatch_id::text::char(36) and job.ended_at is null
                """)
            .update();
  }

  List<SimulatedWorker> workers() {
    return workers;
  }

  /** Whoever is outside of our processes. */
  Simulant outside() {
    return outside;
  }

  /** Asks the web process until it answers. */
  <T> T ask(Supplier<T> request) {
    Simulant own = schedule.current().process();
    while (true) {
      try {
        schedule.current().enter(web());
        return request.get();
      } catch (RuntimeException | Halted e) {
        schedule.note("got no answer: " + e);
      } finally {
        schedule.current().enter(own);
      }
      schedule.rest(LOOK);
    }
  }

  /** The web process; a dead one is replaced. */
  private Simulant web() {
    if (web.isDead()) {
      web = new Simulant("web-" + ++born);
    }
    return web;
  }

  void named(JobId job, String marker) {
    names.put(job, marker);
  }

  String nameOf(JobId job) {
    return names.getOrDefault(job, "a job");
  }

  List<Client> clients() {
    return clients;
  }

  Map<String, Scenario> scenarios() {
    return scenarios;
  }

  boolean isOver() {
    return eventsLeft == 0 && clients.stream().allMatch(Client::isDone) && allEnded;
  }

  boolean isSettled() {
    return settled;
  }

  /** Writes and renewals that were refused by their epoch. */
  double lostLeases() {
    return everyWorker.stream().mapToDouble(SimulatedWorker::lostLeases).sum();
  }

  double staleWrites() {
    return everyWorker.stream().mapToDouble(SimulatedWorker::staleWrites).sum();
  }
}
