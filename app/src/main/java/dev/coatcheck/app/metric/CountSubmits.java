package dev.coatcheck.app.metric;

import dev.coatcheck.app.submit.Submit;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what submits are answered: accepted, replayed, or the code they are refused with. */
public final class CountSubmits {
  private static final String NAME = "coatcheck.submits";
  private static final String OUTCOME = "outcome";

  private final MeterRegistry meters;

  public CountSubmits(MeterRegistry meters) {
    this.meters = meters;
  }

  public void count(Submit.Answer answer) {
    meters.counter(NAME, OUTCOME, outcome(answer)).increment();
  }

  private static String outcome(Submit.Answer answer) {
    return switch (answer) {
      case Submit.Answer.Ticket ticket -> ticket.isReplayed() ? "replayed" : "accepted";
      case Submit.Answer.Refused refused -> refused.problem().code().text();
    };
  }
}
