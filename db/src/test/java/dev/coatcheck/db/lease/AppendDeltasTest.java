package dev.coatcheck.db.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.event.EventType;
import dev.coatcheck.db.job.Epoch;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.AppendDeltas.Follower;
import dev.coatcheck.db.lease.AppendDeltas.Piece;
import dev.coatcheck.db.lease.AppendDeltas.Standing;
import dev.coatcheck.db.lease.AppendDeltas.Telling;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.fixture.DatabasePerClass;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AppendDeltasTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private LeaseStores stores;
  private AppendDeltas deltas;

  @BeforeEach
  void open() {
    stores = new LeaseStores(DATABASE.get());
    stores.database.sql().sql("delete from job").update();
    deltas = new AppendDeltas(stores.database, stores.notifier);
  }

  @AfterEach
  void close() {
    stores.close();
  }

  private Standing look(Lease lease) {
    return Objects.requireNonNull(deltas.look(List.of(new Telling(lease, 0))).get(lease.job()));
  }

  private Follower follower(Lease lease, int after) {
    return Objects.requireNonNull(deltas.look(List.of(new Telling(lease, after))).get(lease.job()))
        .follower();
  }

  private static Piece delta(Lease lease, int after, int turn, String text) {
    return new Piece(
        lease,
        after,
        EventType.OUTPUT_DELTA,
        "{\"turn\":" + turn + ",\"attempt\":1,\"text\":\"" + text + "\"}");
  }

  private List<String> told(JobId job) {
    return stores.events(job).stream().filter(event -> event.contains("output.delta")).toList();
  }

  @Test
  void many_jobs_pieces_are_one_call_each_under_its_own_number() {
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Lease lease = stores.acquired().lease();
      pieces.add(delta(lease, look(lease).events(), 1, "text " + i));
    }

    Set<JobId> appended = deltas.append(pieces);

    assertThat(appended).hasSize(300);
    for (Piece piece : pieces) {
      JobId job = piece.lease().job();
      assertThat(told(job)).singleElement().asString().contains(piece.data());
      assertThat(stores.row(job)).containsEntry("events", piece.after() + 1);
    }
  }

  @Test
  void a_piece_whose_commit_was_in_doubt_is_there_once() {
    Lease lease = stores.acquired().lease();
    Piece piece = delta(lease, look(lease).events(), 1, "once");

    assertThat(deltas.append(List.of(piece))).containsExactly(lease.job());
    assertThat(deltas.append(List.of(piece))).isEmpty();

    assertThat(told(lease.job())).hasSize(1);
    assertThat(look(lease).events()).isEqualTo(piece.after() + 1);
    assertThat(follower(lease, piece.after())).isEqualTo(Follower.A_PIECE);
    assertThat(follower(lease, piece.after() - 1)).isEqualTo(Follower.NO_PIECE);
    assertThat(follower(lease, piece.after() + 1)).isEqualTo(Follower.NO_PIECE);
  }

  @Test
  void a_crash_of_the_database_took_what_clients_had_seen_since_the_commit_did_not_wait() {
    Lease lease = stores.acquired().lease();
    Piece piece = delta(lease, look(lease).events(), 1, "seen");

    String setting =
        stores
            .database
            .transaction()
            .execute(
                status -> {
                  stores.database.sql().sql("set local synchronous_commit = on").update();
                  assertThat(deltas.append(List.of(piece))).containsExactly(lease.job());
                  return stores
                      .database
                      .sql()
                      .sql("select current_setting('synchronous_commit')")
                      .query(String.class)
                      .single();
                });

    assertThat(setting).isEqualTo("on");
  }

  @Test
  void neither_an_old_epoch_nor_another_tenant_nor_an_ended_job_is_told_of() {
    LeasedJob job = stores.acquired();
    Lease lease = job.lease();
    int events = look(lease).events();
    var old = new Lease(lease.job(), lease.tenant(), new Epoch(lease.epoch().value() - 1));
    var other = new Lease(lease.job(), new TenantId("other"), lease.epoch());

    assertThat(deltas.append(List.of(delta(old, events, 1, "x")))).isEmpty();
    assertThat(deltas.append(List.of(delta(other, events, 1, "x")))).isEmpty();
    assertThat(deltas.look(List.of(new Telling(old, 0), new Telling(other, 0)))).isEmpty();

    stores.leave.leave(job, LeaseStores.completed(), LeaveJob.LastAct.none());
    int end = (Integer) Objects.requireNonNull(stores.row(lease.job()).get("events"));

    assertThat(deltas.append(List.of(delta(lease, end, 1, "x")))).isEmpty();
    assertThat(deltas.look(List.of(new Telling(lease, 0)))).isEmpty();
    assertThat(told(lease.job())).isEmpty();
  }

  @Test
  void a_row_that_somebody_holds_keeps_the_others_waiting_no_longer() throws Exception {
    Lease held = stores.acquired().lease();
    Lease free = stores.acquired().lease();
    List<Piece> pieces =
        List.of(
            delta(held, look(held).events(), 1, "later"),
            delta(free, look(free).events(), 1, "now"));
    try (Connection connection = stores.pool.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("select from job where id = '" + held.job() + "' for update");

      assertThat(deltas.append(pieces)).containsExactly(free.job());

      connection.rollback();
    }
    assertThat(deltas.append(pieces)).containsExactly(held.job());
  }

  @Test
  void what_was_said_is_stale_until_it_is_declared_void() {
    Lease lease = stores.acquired().lease();
    int events = look(lease).events();
    assertThat(look(lease).stale()).isNull();

    deltas.append(List.of(delta(lease, events, 1, "turn one")));
    deltas.append(List.of(delta(lease, events + 1, 2, "half")));

    assertThat(look(lease).stale()).isEqualTo(events + 1);

    var restarted = new Piece(lease, events + 2, EventType.ATTEMPT_RESTARTED, "{\"turn\":2}");
    deltas.append(List.of(restarted));

    assertThat(look(lease).stale()).isNull();

    deltas.append(List.of(delta(lease, events + 3, 2, "whole")));

    assertThat(look(lease).stale()).isEqualTo(events + 4);
  }
}
