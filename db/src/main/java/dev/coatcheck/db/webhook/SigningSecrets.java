package dev.coatcheck.db.webhook;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The secrets that sign a tenant's webhooks, each of them every webhook. */
public final class SigningSecrets {
  static final SigningSecrets NONE = new SigningSecrets(List.of());

  private static final String PREFIX = "whsec_";
  private static final int SHORTEST = 24;
  private static final int LONGEST = 64;
  private static final int MOST = 10;

  private final List<String> secrets;

  private SigningSecrets(List<String> secrets) {
    this.secrets = secrets;
  }

  /** Reads secrets separated by spaces; empty if one of them is none. */
  static Optional<SigningSecrets> parse(String text) {
    List<String> secrets =
        Stream.of(text.strip().split("\\s+")).filter(one -> !one.isEmpty()).toList();
    return secrets.size() <= MOST && secrets.stream().allMatch(SigningSecrets::isSecret)
        ? Optional.of(new SigningSecrets(secrets))
        : Optional.empty();
  }

  public boolean arePresent() {
    return !secrets.isEmpty();
  }

  /** The secrets themselves, as Standard Webhooks writes them, for the one place that signs. */
  public List<String> reveal() {
    return secrets;
  }

  private static boolean isSecret(String text) {
    if (!text.startsWith(PREFIX)) {
      return false;
    }
    try {
      int length = Base64.getDecoder().decode(text.substring(PREFIX.length())).length;
      return length >= SHORTEST && length <= LONGEST;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "SigningSecrets";
  }
}
