package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import java.util.function.Supplier;

/** Passes on to the history that is under way. */
final class Told implements Probe {
  private Probe current = Probe.inert();

  void tell(Probe probe) {
    current = probe;
  }

  @Override
  public void reach(Checkpoint point) {
    current.reach(point);
  }

  @Override
  public <T> T write(Checkpoint point, Supplier<T> write) {
    return current.write(point, write);
  }
}
