package dev.coatcheck.chaos.simulation;

/** One call as the provider has it: kept outside of what is under test. */
final class Call {
  private final int number;
  private final String job;
  private final Reply reply;
  private boolean received;
  private boolean delivered;

  /**
   * @param number over all calls of a history, from 1; an answer reports as many output tokens
   * @param job whose prompt it carried
   */
  Call(int number, String job, Reply reply) {
    this.number = number;
    this.job = job;
    this.reply = reply;
  }

  int number() {
    return number;
  }

  String job() {
    return job;
  }

  Reply.Kind kind() {
    return reply.kind();
  }

  boolean isReceived() {
    return received;
  }

  boolean isDelivered() {
    return delivered;
  }

  void receive() {
    received = true;
  }

  void deliver() {
    delivered = true;
  }

  @Override
  public String toString() {
    return "call %d of %s: %s%s%s"
        .formatted(
            number,
            job,
            reply.kind(),
            received ? ", received" : "",
            delivered ? ", delivered" : "");
  }
}
