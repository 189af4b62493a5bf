package dev.coatcheck.worker.egress;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Bytes that travel untouched: a request's or response's body, or a slice of one. Slices share
 * their bytes; whoever hands an array over must not write to it again.
 */
public final class Body {
  public static final Body EMPTY = new Body(new byte[0], 0, 0);

  private final byte[] bytes;
  private final int offset;
  private final int length;

  private Body(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
  }

  /** Takes the array over, without a copy. */
  public static Body of(byte[] bytes) {
    return new Body(bytes, 0, bytes.length);
  }

  public static Body utf8(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  public int length() {
    return length;
  }

  public byte at(int index) {
    return bytes[offset + Objects.checkIndex(index, length)];
  }

  /** The bytes from one index to before another. */
  public Body slice(int from, int to) {
    Objects.checkFromToIndex(from, to, length);
    return new Body(bytes, offset + from, to - from);
  }

  /** A copy, free to be changed and to outlive the rest. */
  public byte[] toBytes() {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }

  /** The text, with U+FFFD in place of what is not UTF-8. */
  public String text() {
    return new String(bytes, offset, length, StandardCharsets.UTF_8);
  }

  public InputStream open() {
    return new ByteArrayInputStream(bytes, offset, length);
  }

  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, offset, length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Body body
        && Arrays.equals(
            bytes, offset, offset + length, body.bytes, body.offset, body.offset + body.length);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + bytes[offset + i];
    }
    return hash;
  }

  /** Never the content: it may be a prompt or an answer. */
  @Override
  public String toString() {
    return "Body[" + length + " bytes]";
  }
}
