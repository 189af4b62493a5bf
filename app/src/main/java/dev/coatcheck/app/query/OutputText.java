package dev.coatcheck.app.query;

import dev.coatcheck.db.json.RawJson;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The text of an assistant message, whichever shape its content has. */
public final class OutputText {
  private OutputText() {}

  /** The content, or its text parts one after the other; empty if there is no text. */
  public static Optional<String> of(RawJson message) {
    if (message.kind() != RawJson.Kind.OBJECT) {
      return Optional.empty();
    }
    return message.member("content").flatMap(OutputText::ofContent);
  }

  private static Optional<String> ofContent(RawJson content) {
    return switch (content.kind()) {
      case STRING -> Optional.of(content.text());
      case ARRAY -> ofParts(content.elements());
      case OBJECT, NUMBER, BOOLEAN, NULL -> Optional.empty();
    };
  }

  private static Optional<String> ofParts(List<RawJson> parts) {
    List<String> texts =
        parts.stream()
            .filter(part -> part.kind() == RawJson.Kind.OBJECT)
            .flatMap(part -> part.member("text").stream())
            .filter(text -> text.kind() == RawJson.Kind.STRING)
            .map(RawJson::text)
            .toList();
    return texts.isEmpty()
        ? Optional.empty()
        : Optional.of(texts.stream().collect(Collectors.joining()));
  }
}
