package dev.coatcheck.bench;

import dev.coatcheck.processes.StackSettings;

/** One thing to measure. Each has a stack of its own, which lasts over its runs. */
interface Scenario {
  /** What is done and with how much of it, in a line. */
  String about();

  /** What is different about its stack. */
  default StackSettings settings(StackSettings common) {
    return common;
  }

  /** Done once before the first run: warms up what is to be measured. */
  default void prepare(Stage stage) throws Exception {
    WarmUp.run(stage);
  }

  /** One run. Each figure is added once. */
  void measure(Stage stage, Figures figures) throws Exception;
}
