package dev.coatcheck.worker.egress;

/** One header field to send. */
public record Header(String name, String value) {
  /** Never the value: it may be a secret. */
  @Override
  public String toString() {
    return "Header[" + name + "]";
  }
}
