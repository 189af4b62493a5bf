package dev.coatcheck.worker.run;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Another session, whose transaction holds locks until it lets go. */
final class Holder implements AutoCloseable {
  private final SingleConnectionDataSource session;

  Holder(Rig.Place place) {
    this.session =
        new SingleConnectionDataSource(place.url(), place.username(), place.password(), true);
    session.setAutoCommit(false);
  }

  /** The rows of all jobs. */
  void lockJobs() {
    JdbcClient.create(session)
        .sql("select id from job for update")
        .query((row, index) -> true)
        .list();
  }

  /** As an ALTER does it. */
  void lockTable(String table) {
    JdbcClient.create(session).sql("lock table " + table + " in access exclusive mode").update();
  }

  void letGo() {
    session.destroy();
  }

  @Override
  public void close() {
    letGo();
  }
}
