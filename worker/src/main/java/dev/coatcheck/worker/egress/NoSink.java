package dev.coatcheck.worker.egress;

/** Leaves every body to be handed over whole. */
enum NoSink implements BodySink {
  NONE;

  @Override
  public boolean opens(int status, Headers headers) {
    return false;
  }

  @Override
  public Wants take(byte[] bytes, int length) {
    throw new IllegalStateException("it opened for none");
  }
}
