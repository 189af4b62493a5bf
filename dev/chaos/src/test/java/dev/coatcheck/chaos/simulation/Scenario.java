package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.job.Budget;
import java.time.Duration;
import java.util.List;

/** A kind of job: what is asked, what the provider does about it, and what must hold of it. */
interface Scenario {
  /** The body of the submit, whose prompt (or first message) is to contain this marker. */
  String body(String marker);

  Budget budget();

  Duration deadline();

  /**
   * What the provider does about a call of it.
   *
   * @param call the how manieth call that it received or refused for this job, from 1
   * @param request the body as it was sent, so that a script may tell turns apart
   */
  Reply reply(int call, String request);

  /**
   * What a tool does about a sending of a call of it.
   *
   * @param send the how manieth sending of that call, from 1
   */
  default Reply toolReply(int send) {
    throw new IllegalStateException("it has no tools");
  }

  /** What of its own promises is broken, one line each; the invariants are checked anyway. */
  List<String> check(Evidence evidence);
}
