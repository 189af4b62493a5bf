package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.tenant.TenantId;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.UUID;

/**
 * A wake-up call for a job: number {@code number} of it, and what the dashboard shows of it.
 *
 * @param number from 1; a job runs only on its newest dispatch
 * @param model as the caller wrote it
 * @param idempotencyKey the caller's
 * @param provider the configured provider's name
 */
public record Dispatch(
    JobId job, int number, String model, String idempotencyKey, TenantId tenant, String provider) {

  /** The longest name shown. */
  static final int MAX_NAME = 80;

  /** JobRunr throws on a longer label. */
  static final int MAX_LABEL = 45;

  /** The dispatch's id in JobRunr. */
  public UUID id() {
    return idOf(job, number);
  }

  /**
   * Dispatch 1 has the job's id, dispatch n a UUIDv8 of SHA-256(job id, n): made twice, it is one.
   */
  public static UUID idOf(JobId job, int number) {
    if (number == 1) {
      return job.value();
    }
    return hashed(job.value(), number);
  }

  /** A UUIDv8 of SHA-256(id, n). */
  static UUID hashed(UUID id, int number) {
    byte[] input =
        ByteBuffer.allocate(Long.BYTES * 2 + Integer.BYTES)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .putInt(number)
            .array();
    ByteBuffer hash = ByteBuffer.wrap(sha256(input));
    long high = (hash.getLong() & 0xffffffffffff0fffL) | 0x8000L;
    long low = (hash.getLong() >>> 2) | 0x8000000000000000L;
    return new UUID(high, low);
  }

  String name() {
    return cut(model + " · " + idempotencyKey, MAX_NAME);
  }

  List<String> labels() {
    return List.of(cut(tenant.value(), MAX_LABEL), cut(provider, MAX_LABEL), "wake " + number);
  }

  static String cut(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(length - 2)) ? length - 2 : length - 1;
    return text.substring(0, end) + "…";
  }

  private static byte[] sha256(byte[] input) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(input);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
