package dev.coatcheck.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Every scenario by its name, in the order they run. */
final class Scenarios {
  private Scenarios() {}

  static Map<String, Supplier<Scenario>> all() {
    var all = new LinkedHashMap<String, Supplier<Scenario>>();
    all.put("pickup", Pickup::new);
    all.put("inflight", InFlight::new);
    all.put("followers", Followers::new);
    all.put("intake", Intake::new);
    all.put("parked", Parked::new);
    all.put("streams", Streams::new);
    all.put("lists", Lists::new);
    return all;
  }
}
