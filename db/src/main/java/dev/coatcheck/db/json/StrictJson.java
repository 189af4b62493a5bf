package dev.coatcheck.db.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Decides whether bytes are one JSON value as RFC 8259 has it, and no more than we take: UTF-8,
 * without duplicate members, NaN or anything after the value.
 */
public final class StrictJson {
  /** The deepest nesting. */
  public static final int MAX_DEPTH = 64;

  /** Digits and signs of the longest number. */
  public static final int MAX_NUMBER = 100;

  /** Characters of the longest member name. */
  public static final int MAX_NAME = 256;

  /** Values, names and brackets in one document. */
  public static final int MAX_TOKENS = 500_000;

  /** The longest document that any part of this service accepts. */
  public static final int MAX_BYTES = 64 << 20;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_NUMBER)
                  .maxNameLength(MAX_NAME)
                  .maxStringLength(MAX_BYTES)
                  .maxDocumentLength(MAX_BYTES)
                  .maxTokenCount(MAX_TOKENS)
                  .build())
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  private StrictJson() {}

  /** What is wrong with the bytes; empty if nothing is. */
  public static Optional<JsonFault> faultOf(byte[] bytes) {
    try {
      return faultOf(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)));
    } catch (CharacterCodingException e) {
      return Optional.of(new JsonFault("the body is not valid UTF-8"));
    }
  }

  /** From characters: Jackson's parser of bytes guesses charsets and refuses some lawful names. */
  private static Optional<JsonFault> faultOf(CharBuffer text) {
    try (JsonParser parser =
        FACTORY.createParser(
            ObjectReadContext.empty(), text.array(), text.arrayOffset(), text.remaining())) {
      return walk(parser);
    } catch (StreamConstraintsException e) {
      return Optional.of(
          new JsonFault(
              "the body is nested deeper than %d, or has a number of over %d characters, a name of over %d, or over %d tokens"
                  .formatted(MAX_DEPTH, MAX_NUMBER, MAX_NAME, MAX_TOKENS)));
    } catch (JacksonException e) {
      return Optional.of(new JsonFault(sentence(e)));
    }
  }

  private static Optional<JsonFault> walk(JsonParser parser) {
    if (parser.nextToken() == null) {
      return Optional.of(new JsonFault("the body is empty"));
    }
    int depth = 0;
    do {
      switch (parser.currentToken()) {
        case START_OBJECT, START_ARRAY -> depth++;
        case END_OBJECT, END_ARRAY -> depth--;
        default -> parser.finishToken();
      }
    } while (depth > 0 && parser.nextToken() != null);
    return parser.nextToken() == null
        ? Optional.empty()
        : Optional.of(new JsonFault("the body goes on after its JSON value"));
  }

  /** In our words: Jackson's quote the input. */
  private static String sentence(JacksonException e) {
    TokenStreamLocation location = e.getLocation();
    String where =
        location == null
            ? ""
            : " (line %d, column %d)".formatted(location.getLineNr(), location.getColumnNr());
    return e.getOriginalMessage().startsWith("Duplicate")
        ? "the body has a member twice in one object" + where
        : "the body is not well-formed JSON" + where;
  }
}
