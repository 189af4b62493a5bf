package dev.coatcheck.chaos;

import dev.coatcheck.chaos.Errand.Whim;
import dev.coatcheck.chaos.Event.Seen;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Callers, one an errand: each submits until it has a ticket, and comes back for the answer. */
final class Fleet implements AutoCloseable {
  private static final long PAUSE_MS = 300;
  private static final int SPREAD_MS = 500;

  private final Client client = new Client();
  private final List<Member> apps;
  private final String hook;
  private final Size size;
  private final long seed;
  private final List<Errand> errands = new CopyOnWriteArrayList<>();
  private final Map<String, Seen> ends = new ConcurrentHashMap<>();
  private final Set<String> tickets = ConcurrentHashMap.newKeySet();
  private final List<Thread> callers = new CopyOnWriteArrayList<>();
  private final Thread feeder;
  private volatile boolean enough;
  private volatile boolean closed;

  Fleet(Cluster cluster, Size size, long seed) {
    this.apps = cluster.apps();
    this.hook = cluster.hooks().url().toString();
    this.size = size;
    this.seed = seed;
    this.feeder = Thread.ofPlatform().name("feeder").daemon().unstarted(this::feed);
  }

  void start() {
    feeder.start();
  }

  /** Sends callers until there were as many as wanted, and the last fault is over. */
  private void feed() {
    long begin = System.nanoTime();
    for (int number = 0; !closed && (number < size.jobs() || !enough); number++) {
      var errand = size.errand(seed, number).told(hook);
      Cluster.rest(Math.max(0, errand.at().minusNanos(System.nanoTime() - begin).toMillis()));
      errands.add(errand);
      callers.add(Thread.ofVirtual().name(errand.key()).start(() -> run(errand)));
    }
  }

  /** Nothing is going to be broken any more. */
  void enough() {
    enough = true;
  }

  /** Whether no more callers come. */
  boolean isFed() {
    return !feeder.isAlive();
  }

  List<Errand> errands() {
    return errands;
  }

  List<String> leaks() {
    return client.leaks();
  }

  List<Event> history() {
    return client.history();
  }

  /** How many errands have a ticket. */
  int tickets() {
    return tickets.size();
  }

  /** Whether every caller has seen the end of its job. */
  boolean isDone() {
    return isFed() && ends.size() == errands.size();
  }

  List<String> openErrands() {
    return errands.stream().map(Errand::key).filter(key -> !ends.containsKey(key)).toList();
  }

  /** Asks every app once more for every job that was seen, and once as somebody else. */
  void askAllAgain() {
    ends.forEach(
        (key, seen) -> {
          apps.forEach(app -> client.poll(app, key, seen.id()));
          client.stranger(apps.getFirst(), key, seen.id());
        });
  }

  /**
   * Submits one more job to an app, which nobody comes back for.
   *
   * @param directive to the simulator
   * @param members more of its body
   */
  Event probe(Member app, String key, String directive, String members) {
    var body =
        "{\"prompt\": \"A probe. [[sim: %s]]\", \"budget\": {\"deadline\": \"PT1M\"}%s}"
            .formatted(directive, members);
    return client.submit(app, key, body);
  }

  private void run(Errand errand) {
    var random = new SplittableRandom(seed ^ errand.key().hashCode());
    submit(errand, random)
        .ifPresent(
            id -> {
              tickets.add(errand.key());
              indulge(errand, id, random);
              awaitEnd(errand.key(), id, random);
            });
  }

  private Optional<String> submit(Errand errand, SplittableRandom random) {
    if (errand.whim() == Whim.THRICE) {
      for (int i = 0; i < 2; i++) {
        var app = any(random);
        Thread _ = Thread.ofVirtual().start(() -> client.submit(app, errand.key(), errand.body()));
      }
    }
    while (!closed) {
      var event = client.submit(any(random), errand.key(), errand.body());
      if (event.isAccepted() && event.seen() != null) {
        return Optional.of(event.seen().id());
      }
      Cluster.rest(PAUSE_MS + random.nextInt(SPREAD_MS));
    }
    return Optional.empty();
  }

  private void indulge(Errand errand, String id, SplittableRandom random) {
    switch (errand.whim()) {
      case NONE, THRICE -> {}
      case OTHER_BODY -> client.otherBody(any(random), errand.key());
      case CANCEL -> {
        Cluster.rest(random.nextInt(3 * SPREAD_MS));
        while (!closed && client.cancel(any(random), errand.key(), id).status() != 200) {
          Cluster.rest(PAUSE_MS);
        }
      }
    }
  }

  private void awaitEnd(String key, String id, SplittableRandom random) {
    while (!closed) {
      var app = any(random);
      var event =
          random.nextInt(3) == 0 ? client.longPoll(app, key, id) : client.poll(app, key, id);
      if (event.seen() != null && event.seen().isEnded()) {
        ends.put(key, event.seen());
        return;
      }
      if (event.seen() != null && event.seen().needsSomebody()) {
        client.resolve(app, key, id);
      }
      Cluster.rest(size.calm() * (PAUSE_MS + random.nextInt(SPREAD_MS)));
    }
  }

  private Member any(SplittableRandom random) {
    return apps.get(random.nextInt(apps.size()));
  }

  /** Sends the callers home. */
  @Override
  public void close() {
    closed = true;
    callers.forEach(
        caller -> {
          try {
            caller.join(Duration.ofSeconds(15));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    client.close();
  }
}
