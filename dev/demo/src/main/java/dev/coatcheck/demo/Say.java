package dev.coatcheck.demo;

import java.time.Duration;

/** Says what happens, with the time since the job was handed in. */
final class Say {
  private volatile long start = System.nanoTime();

  void start() {
    start = System.nanoTime();
  }

  synchronized void line(String words) {
    Duration since = Duration.ofNanos(System.nanoTime() - start);
    System.out.printf("%5.1f s  %s%n", since.toMillis() / 1000.0, words);
  }

  synchronized void plain(String words) {
    System.out.println(words);
  }
}
