package dev.coatcheck.db.tool;

import dev.coatcheck.db.job.JobId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 over a kind and a place in a job. */
final class Hash {
  private Hash() {}

  static MessageDigest of(String kind, JobId job, int turn, int ordinal) {
    MessageDigest digest = sha256();
    digest.update(kind.getBytes(StandardCharsets.UTF_8));
    digest.update(
        ByteBuffer.allocate(Long.BYTES * 2 + Integer.BYTES * 2)
            .putLong(job.value().getMostSignificantBits())
            .putLong(job.value().getLeastSignificantBits())
            .putInt(turn)
            .putInt(ordinal)
            .array());
    return digest;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
