package dev.coatcheck.db.call;

import dev.coatcheck.db.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What a tool brought: JSON as it was spelt, text, or nothing. */
public final class CallResult {
  /** Bytes of a result that are kept. */
  public static final int MAX_BYTES = 8 << 20;

  /** Of a tool that answered with nothing. */
  public static final CallResult EMPTY = new CallResult(new byte[0], Kind.TEXT);

  private final byte[] bytes;
  private final Kind kind;

  /** How the bytes are to be read. */
  public enum Kind {
    JSON,
    TEXT;

    /** The name in the database. */
    public String column() {
      return this == JSON ? "json" : "text";
    }
  }

  private CallResult(byte[] bytes, Kind kind) {
    this.bytes = bytes;
    this.kind = kind;
  }

  /** JSON if it is; else its text. The bytes are not copied. */
  public static CallResult of(byte[] bytes) {
    if (bytes.length == 0) {
      return EMPTY;
    }
    return StrictJson.faultOf(bytes).isEmpty()
        ? new CallResult(bytes, Kind.JSON)
        : text(new String(bytes, StandardCharsets.UTF_8));
  }

  /** Its text, whatever it looks like. */
  public static CallResult text(String text) {
    return new CallResult(text.getBytes(StandardCharsets.UTF_8), Kind.TEXT);
  }

  /** Empty if there is nothing. Not a copy: leave them as they are. */
  public Optional<byte[]> bytes() {
    return bytes.length == 0 ? Optional.empty() : Optional.of(bytes);
  }

  public Kind kind() {
    return kind;
  }

  /** Never the content. */
  @Override
  public String toString() {
    return "CallResult[" + bytes.length + " bytes]";
  }
}
