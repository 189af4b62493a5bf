package dev.coatcheck.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The bytes of a request or an answer. */
public final class Body {
  static final Body EMPTY = new Body(new byte[0]);

  private final byte[] bytes;

  /** Keeps the array, which the caller therefore gives away. */
  Body(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Body of(byte[] bytes) {
    return new Body(bytes.clone());
  }

  public static Body text(String text) {
    return new Body(text.getBytes(UTF_8));
  }

  public int length() {
    return bytes.length;
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  /** As UTF-8, with U+FFFD for what is not. */
  public String text() {
    return new String(bytes, UTF_8);
  }

  /** The array itself, for writing it out. */
  byte[] array() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Body body && Arrays.equals(bytes, body.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Body[" + bytes.length + " bytes]";
  }
}
