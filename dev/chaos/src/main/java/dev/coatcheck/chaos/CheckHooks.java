package dev.coatcheck.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;

/** Compares deliveries with what their endpoint took. */
final class CheckHooks {
  private CheckHooks() {}

  static Check check(HookLedger ledger, Connection connection) throws SQLException {
    var broken = new ArrayList<String>();
    ledger.forged().forEach(one -> broken.add("its signature does not hold: " + one));
    int delivered = 0;
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery("select event_id from delivery where state = 'delivered'")) {
      while (rows.next()) {
        delivered++;
        if (!ledger.hasTaken(rows.getString(1))) {
          broken.add("delivered, and nobody took it: " + rows.getString(1));
        }
      }
    }
    return new Check(
        "I11",
        "what is delivered was taken under its id, signed",
        "%d requests, %d delivered".formatted(ledger.asked(), delivered),
        broken);
  }
}
