package dev.coatcheck.db.intake;

import dev.coatcheck.db.json.CanonicalJson;
import dev.coatcheck.db.json.RawJson;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 of what a request means, however it is spelt. */
final class Fingerprint {
  private Fingerprint() {}

  static byte[] of(RawJson request) {
    return sha256(CanonicalJson.of(request));
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
