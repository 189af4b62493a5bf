package dev.coatcheck.db.tool;

import dev.coatcheck.db.job.JobId;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** A tool call's id: made of its place in the job, so that made twice it is one. */
public record ToolCallId(UUID value) {
  private static final Pattern TEXT =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /** A UUIDv8 of the hash of the three. */
  public static ToolCallId of(JobId job, int turn, int ordinal) {
    ByteBuffer hash = ByteBuffer.wrap(Hash.of("tool call", job, turn, ordinal).digest());
    long high = (hash.getLong() & 0xffffffffffff0fffL) | 0x8000L;
    long low = (hash.getLong() >>> 2) | 0x8000000000000000L;
    return new ToolCallId(new UUID(high, low));
  }

  /** Reads the canonical lower-case form; empty for anything else. */
  public static Optional<ToolCallId> parse(String text) {
    return TEXT.matcher(text).matches()
        ? Optional.of(new ToolCallId(UUID.fromString(text)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
