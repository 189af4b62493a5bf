package dev.coatcheck.chaos;

import java.util.ArrayList;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Compares deliveries with what their endpoint took. */
final class CheckHooks {
  private CheckHooks() {}

  static Check check(HookLedger ledger, JdbcClient database) {
    var broken = new ArrayList<String>();
    ledger.forged().forEach(one -> broken.add("its signature does not hold: " + one));
    var delivered =
        database
            .sql("select event_id from delivery where state = 'delivered'")
            .query(String.class)
            .list();
    delivered.stream()
        .filter(event -> !ledger.hasTaken(event))
        .forEach(event -> broken.add("delivered, and nobody took it: " + event));
    return new Check(
        "I11",
        "what is delivered was taken under its id, signed",
        "%d requests, %d delivered".formatted(ledger.asked(), delivered.size()),
        broken);
  }
}
