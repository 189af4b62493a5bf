package dev.coatcheck.db.tenant;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** The SHA-256 of a whole API key as it is sent: all that is kept of one. */
public final class ApiKeyHash {
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

  private final byte[] bytes;

  private ApiKeyHash(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Of a key.
   *
   * @param key each character stands for one byte, as in a header
   */
  public static ApiKeyHash of(String key) {
    try {
      return new ApiKeyHash(
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.ISO_8859_1)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Reads 64 lower-case hexadecimal digits; empty for anything else. */
  public static Optional<ApiKeyHash> parse(String hex) {
    return HEX.matcher(hex).matches()
        ? Optional.of(new ApiKeyHash(HexFormat.of().parseHex(hex)))
        : Optional.empty();
  }

  /** A copy. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** In constant time. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ApiKeyHash that && MessageDigest.isEqual(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "ApiKeyHash";
  }
}
