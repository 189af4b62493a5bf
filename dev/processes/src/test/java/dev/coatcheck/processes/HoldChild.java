package dev.coatcheck.processes;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A parent to be killed: starts a simulator as its child, says its process id, and waits. */
final class HoldChild {
  private HoldChild() {}

  public static void main(String[] arguments) throws InterruptedException {
    var simulator = SimulatorProcess.start(List.of("-Xmx64m"), Path.of(arguments[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("stopped in order")));
    System.out.println("child " + simulator.process().pid());
    new CountDownLatch(1).await();
  }
}
