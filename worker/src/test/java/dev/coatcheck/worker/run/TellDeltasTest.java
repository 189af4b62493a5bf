package dev.coatcheck.worker.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.event.EventType;
import dev.coatcheck.db.job.Epoch;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.AppendDeltas.Follower;
import dev.coatcheck.db.lease.AppendDeltas.Piece;
import dev.coatcheck.db.lease.AppendDeltas.Standing;
import dev.coatcheck.db.lease.AppendDeltas.Telling;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.tenant.TenantId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whatever the database does, whoever follows the rule ends with exactly the text. */
@Timeout(60)
class TellDeltasTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Lease LEASE =
      new Lease(
          new JobId(UUID.fromString("00000000-0000-7000-8000-000000000001")),
          TenantId.DEFAULT,
          new Epoch(1));

  /** One job's events in memory, in a database that fails in every way it can. */
  private static final class Moody implements TellDeltas.Store {
    private final Random random;
    private final int calm;
    private final List<Piece> events = new ArrayList<>();
    private final List<Piece> late = new ArrayList<>();
    private boolean over;

    Moody(Random random, int calm) {
      this.random = random;
      this.calm = calm;
    }

    @Override
    public Map<JobId, Standing> look(Collection<Telling> tellings) {
      mood();
      if (over) {
        return Map.of();
      }
      Integer stale = null;
      for (int i = events.size() - 1; i >= 0; i--) {
        if (events.get(i).type() == EventType.ATTEMPT_RESTARTED) {
          break;
        }
        stale = events.get(i).type() == EventType.OUTPUT_DELTA ? Integer.valueOf(i + 1) : stale;
      }
      int after = tellings.iterator().next().after();
      boolean isFollowed = after < events.size() && isPiece(events.get(after).type());
      return Map.of(
          LEASE.job(),
          new Standing(events.size(), isFollowed ? Follower.A_PIECE : Follower.NO_PIECE, stale));
    }

    @Override
    public Set<JobId> append(List<Piece> pieces) {
      mood();
      if (isMoody()) {
        return Set.of(); // Somebody else holds the row.
      }
      if (isMoody()) {
        late.addAll(pieces); // It commits, but nobody will be told, and not at once.
        throw new IllegalStateException("cut off");
      }
      Set<JobId> appended = new HashSet<>();
      pieces.forEach(piece -> write(piece, appended));
      if (isMoody()) {
        throw new IllegalStateException("the answer was lost");
      }
      return appended;
    }

    private static boolean isPiece(EventType type) {
      return type == EventType.OUTPUT_DELTA || type == EventType.ATTEMPT_RESTARTED;
    }

    private void write(Piece piece, Set<JobId> appended) {
      if (!over && piece.after() == events.size()) {
        events.add(piece);
        appended.add(piece.lease().job());
      }
    }

    private boolean isMoody() {
      return calm > 0 && random.nextInt(calm) == 0;
    }

    private void mood() {
      if (isMoody()) {
        events.add(new Piece(LEASE, events.size(), EventType.TOOL_ENDED, "{}")); // Somebody else's.
      }
      if (!late.isEmpty() && random.nextBoolean()) {
        late.forEach(piece -> write(piece, new HashSet<>()));
        late.clear();
      }
      if (isMoody()) {
        throw new IllegalStateException("away");
      }
    }

    /** An attempt is over and the next one begun: what of it is still on its way comes too late. */
    void nextAttempt() {
      events.add(new Piece(LEASE, events.size(), EventType.ATTEMPT_ENDED, "{}"));
      events.add(new Piece(LEASE, events.size(), EventType.ATTEMPT_STARTED, "{}"));
    }

    /** What a client has that follows the rule. */
    String followed() {
      Map<Integer, String> texts = new HashMap<>();
      for (int number = 1; number <= events.size(); number++) {
        JsonNode data = JSON.readTree(events.get(number - 1).data());
        if (events.get(number - 1).type() == EventType.ATTEMPT_RESTARTED) {
          int from = data.path("discard_from").asInt();
          texts.keySet().removeIf(key -> key >= from);
        } else if (events.get(number - 1).type() == EventType.OUTPUT_DELTA) {
          texts.put(number, data.path("text").asString());
        }
      }
      var all = new StringBuilder();
      texts.keySet().stream().sorted().forEach(number -> all.append(texts.get(number)));
      return all.toString();
    }
  }

  private static String random(Random random, int length) {
    var text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      switch (random.nextInt(6)) {
        case 0 -> text.append("😀");
        case 1 -> text.append('\0');
        case 2 -> text.append("ü\n\"");
        case 3 -> text.append((char) (0xD800 + random.nextInt(0x800)));
        default -> text.append((char) ('a' + random.nextInt(26)));
      }
    }
    return text.toString();
  }

  private static void heard(AttemptText text, String all, Random random, Runnable between) {
    int at = 0;
    while (at < all.length()) {
      int to = Math.min(all.length(), at + 1 + random.nextInt(20));
      text.text(all.substring(at, to));
      at = to;
      if (random.nextInt(3) == 0) {
        between.run();
      }
    }
  }

  private static void finish(TellDeltas deltas, AttemptText text, String all) {
    Thread finishing =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    text.finish(all, () -> false);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    while (finishing.isAlive()) {
      deltas.tell();
      Thread.onSpinWait();
    }
    deltas.end(text);
  }

  @Test
  void a_client_that_follows_the_rule_has_the_text_whatever_breaks() {
    for (int seed = 0; seed < 400; seed++) {
      var random = new Random(seed);
      var store = new Moody(random, 2 + random.nextInt(6));
      var deltas = new TellDeltas(store, length -> {});
      int broken = random.nextInt(4);
      for (int attempt = 1; attempt <= broken; attempt++) {
        AttemptText text = deltas.begin(LEASE, 1, attempt);
        heard(text, random(random, random.nextInt(100)), random, deltas::tell);
        deltas.end(text);
        store.nextAttempt();
      }
      AttemptText text = deltas.begin(LEASE, 1, broken + 1);
      String all = random(random, random.nextInt(200));
      heard(text, random.nextInt(5) == 0 ? "" : all, random, deltas::tell);

      finish(deltas, text, all);

      assertThat(store.followed()).as("seed %d", seed).isEqualTo(all);
    }
  }

  @Test
  void a_character_is_never_told_in_halves_while_its_other_half_may_come() {
    var store = new Moody(new Random(1), 0);
    var deltas = new TellDeltas(store, length -> {});
    AttemptText text = deltas.begin(LEASE, 1, 1);

    text.text("a\ud83d");
    deltas.tell();
    text.text("\ude00");
    deltas.tell();
    finish(deltas, text, "a😀");

    assertThat(store.events)
        .extracting(Piece::data)
        .containsExactly(
            "{\"turn\":1,\"attempt\":1,\"text\":\"a\"}",
            "{\"turn\":1,\"attempt\":1,\"text\":\"😀\"}");
  }

  @Test
  void what_gathers_between_two_statements_is_one_event() {
    var store = new Moody(new Random(1), 0);
    var deltas = new TellDeltas(store, length -> {});
    AttemptText text = deltas.begin(LEASE, 1, 1);

    "one two three".chars().forEach(c -> text.text(Character.toString(c)));
    deltas.tell();
    deltas.tell();

    assertThat(store.events).singleElement().extracting(Piece::data).asString().contains("three");
  }

  @Test
  void a_text_that_waits_too_long_is_taken_from_the_answer() {
    var store = new Moody(new Random(1), 0);
    var deltas = new TellDeltas(store, length -> {});
    AttemptText text = deltas.begin(LEASE, 1, 1);
    var all = new StringBuilder();
    String piece = "ü".repeat(1_000);
    for (int i = 0; i < 1_500; i++) {
      text.text(piece);
      all.append(piece);
    }

    finish(deltas, text, all.toString());

    assertThat(store.followed()).isEqualTo(all.toString());
    assertThat(store.events)
        .allSatisfy(
            event ->
                assertThat(event.data().getBytes(StandardCharsets.UTF_8).length)
                    .isLessThan(3 * AttemptText.MAX_PIECE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "something"})
  void a_job_that_is_over_is_told_no_more_and_keeps_nobody_waiting(String said) {
    var store = new Moody(new Random(1), 0);
    var deltas = new TellDeltas(store, length -> {});
    AttemptText text = deltas.begin(LEASE, 1, 1);
    text.text(said);
    store.over = true;

    finish(deltas, text, said + " more");

    assertThat(store.events).isEmpty();
  }

  @Test
  void an_attempt_that_is_given_up_is_waited_for_no_more() throws InterruptedException {
    var deltas = new TellDeltas(new Moody(new Random(1), 1), length -> {});
    AttemptText text = deltas.begin(LEASE, 1, 1);

    text.finish("never told", () -> true);

    assertThat(text.lookUp()).isEmpty();
  }

  @Test
  void an_error_ended_the_telling_of_all_jobs_for_good() throws InterruptedException {
    var store = new Moody(new Random(1), 0);
    var fails = new AtomicInteger(3);
    var deltas =
        new TellDeltas(
            new TellDeltas.Store() {
              @Override
              public Map<JobId, Standing> look(Collection<Telling> tellings) {
                if (fails.getAndDecrement() > 0) {
                  throw new StackOverflowError();
                }
                return store.look(tellings);
              }

              @Override
              public Set<JobId> append(List<Piece> pieces) {
                return store.append(pieces);
              }
            },
            length -> {});
    deltas.start();
    AttemptText text = deltas.begin(LEASE, 1, 1);
    text.text("all ");

    deltas.finish(text, "all of it", () -> false);
    deltas.stop();

    assertThat(store.followed()).isEqualTo("all of it");
  }

  @Test
  void an_answer_was_held_until_its_deadline_when_nobody_told_any_more()
      throws InterruptedException {
    var deltas = new TellDeltas(new Moody(new Random(1), 0), length -> {});
    deltas.start();
    AttemptText text = deltas.begin(LEASE, 1, 1);
    deltas.stop();

    deltas.finish(text, "told to nobody", () -> false);

    assertThat(text.lookUp()).isEmpty();
  }
}
