package dev.coatcheck.worker.tool;

import dev.coatcheck.db.call.CallResult;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.KnownSecrets;
import dev.coatcheck.worker.egress.SafeText;
import dev.coatcheck.worker.egress.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/** What tools say, without the credentials that we sent them: some quote what they were sent. */
final class ToolTexts {
  private static final String MASK = "***";

  private final SafeText safe;
  private final List<String> secrets;

  ToolTexts(KnownSecrets all) {
    this.safe = new SafeText(all.all());
    this.secrets =
        all.all().stream()
            .map(Secret::reveal)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /** The bytes as they are, unless a credential is in them. */
  CallResult result(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    String masked = text;
    for (String secret : secrets) {
      masked = masked.replace(secret, MASK);
    }
    return CallResult.of(
        masked.equals(text) ? bytes : masked.getBytes(StandardCharsets.ISO_8859_1));
  }

  String of(String words) {
    return safe.of(words, Limits.MESSAGE);
  }

  /** With the beginning of what the tool says, but not its markup. */
  String withExcerpt(String words, Body body) {
    String text = body.slice(0, Math.min(Limits.EXCERPT, body.length())).text().strip();
    return of(text.isEmpty() || text.startsWith("<") ? words : words + ": " + text);
  }
}
