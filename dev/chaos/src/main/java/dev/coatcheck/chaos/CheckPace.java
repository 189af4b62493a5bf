package dev.coatcheck.chaos;

import dev.coatcheck.chaos.Trail.Life;
import dev.coatcheck.chaos.Trail.Moved;
import dev.coatcheck.chaos.Watch.Calm;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How long work stood still: after a kill, after a stop, and while hardly anything was wrong. */
final class CheckPace {
  private static final Duration PAST_THE_LEASE = Duration.ofSeconds(10);

  /** What the reconciler may take, as where all dispatches were emptied away. */
  private static final Duration LOST_TWICE = Duration.ofSeconds(60);

  private static final Duration AFTER_A_STOP = Duration.ofSeconds(10);

  /** What a process gives back later than this was not for that stop: it is gone. */
  private static final Duration OF_A_STOP = Member.TIME_TO_STOP;

  private static final Duration WINDOW = Duration.ofSeconds(30);

  private final Trail.Times times;
  private final Watch watch;
  private final List<Instant> stops;

  CheckPace(Trail.Times times, Watch watch, List<Instant> stops) {
    this.times = times;
    this.watch = watch;
    this.stops = List.copyOf(stops);
  }

  List<Check> all() {
    return List.of(movingAgain(), movingAgainLostTwice(), afterAStop(), neverStandingStill());
  }

  /** One lost run, without the times when no worker was there to take over. */
  private record Pause(double seconds, String story) {}

  private Check movingAgain() {
    var pauses =
        times.movedAgain().stream()
            .filter(m -> !m.isLostTwice())
            .map(
                m ->
                    new Pause(
                        watch.withAnAbleWorker(m.renewed(), m.again()).toMillis() / 1000.0,
                        m.story()))
            .sorted(Comparator.comparingDouble(Pause::seconds))
            .toList();
    var most = Cluster.LEASE.plus(PAST_THE_LEASE);
    var p99 = p99(pauses);
    return new Check(
        "pace",
        "a lost run's job runs again within lease + 10 s at p99",
        "%d, with a worker there: median %.1f s, p99 %.1f s"
            .formatted(
                pauses.size(),
                pauses.isEmpty() ? 0 : pauses.get(pauses.size() / 2).seconds,
                p99.map(Pause::seconds).orElse(0.0)),
        p99.filter(p -> p.seconds > most.toSeconds()).map(Pause::story).stream().toList());
  }

  private Check movingAgainLostTwice() {
    var twice = times.movedAgain().stream().filter(Moved::isLostTwice).toList();
    var longest = twice.stream().mapToDouble(Moved::seconds).max().orElse(0);
    return new Check(
        "pace",
        "one whose next dispatch was lost too runs again within 60 s",
        "%d, longest %.1f s".formatted(twice.size(), longest),
        twice.stream()
            .filter(m -> m.seconds() > LOST_TWICE.toSeconds())
            .map(Moved::story)
            .toList());
  }

  private static <T> Optional<T> p99(List<T> sorted) {
    return sorted.isEmpty()
        ? Optional.empty()
        : Optional.of(sorted.get((sorted.size() * 99 + 99) / 100 - 1));
  }

  private Check afterAStop() {
    var waits = new ArrayList<Duration>();
    for (var released : times.released()) {
      stops.stream()
          .filter(stop -> !stop.isAfter(released.at()))
          .max(Comparator.naturalOrder())
          .filter(stop -> Duration.between(stop, released.at()).compareTo(OF_A_STOP) < 0)
          .ifPresent(stop -> waits.add(Duration.between(stop, released.again())));
    }
    waits.sort(Comparator.naturalOrder());
    var p99 = p99(waits);
    return new Check(
        "pace",
        "after a graceful stop its jobs run again within 10 s at p99",
        "%d stops, %d jobs given back, p99 %.1f s"
            .formatted(stops.size(), waits.size(), p99.map(Duration::toMillis).orElse(0L) / 1000.0),
        p99.filter(p -> p.compareTo(AFTER_A_STOP) > 0).map(Duration::toString).stream().toList());
  }

  /** While one worker at most was faulty, a job ended in every 30 s in which one was open. */
  private Check neverStandingStill() {
    var broken = new ArrayList<String>();
    double longest = 0;
    for (var calm : watch.calms()) {
      for (var still : standstills(calm)) {
        longest = Math.max(longest, Duration.between(still.from(), still.to()).toMillis() / 1000.0);
        if (Duration.between(still.from(), still.to()).compareTo(WINDOW) > 0) {
          broken.add(still.toString());
        }
      }
    }
    return new Check(
        "live",
        "a job ends in every 30 s with one faulty worker at most",
        "%d calm times, longest standstill %.1f s".formatted(watch.calms().size(), longest),
        broken);
  }

  /** The times in a calm between two ends, in which a job was open from the first to the last. */
  private List<Calm> standstills(Calm calm) {
    var found = new ArrayList<Calm>();
    var from = calm.from();
    for (var life : times.lives()) {
      if (life.ended().isAfter(calm.from())) {
        var to = life.ended().isBefore(calm.to()) ? life.ended() : calm.to();
        if (isOpenAllTheTime(from, to)) {
          found.add(new Calm(from, to));
        }
        from = to;
      }
      if (!from.isBefore(calm.to())) {
        break;
      }
    }
    return found;
  }

  private boolean isOpenAllTheTime(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() > 1000
        && times.lives().stream().anyMatch(life -> covers(life, from, to));
  }

  private static boolean covers(Life life, Instant from, Instant to) {
    return life.created().isBefore(from) && !life.ended().isBefore(to);
  }
}
