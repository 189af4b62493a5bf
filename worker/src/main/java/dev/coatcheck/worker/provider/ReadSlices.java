package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Cuts the parts that are kept as they came out of a Chat Completions body: the first choice's
 * message, its text, and the usage. Of a member given twice the last counts, as in the tree.
 */
final class ReadSlices {
  private final Body body;
  private final JsonParser parser;
  private @Nullable Body message;
  private @Nullable Body text;
  private @Nullable Body usage;

  private ReadSlices(Body body, JsonParser parser) {
    this.body = body;
    this.parser = parser;
  }

  record Slices(@Nullable Body message, @Nullable Body text, @Nullable Body usage) {}

  /** Of a body that has been parsed before. */
  static Slices of(Body body) {
    try (InputStream in = body.open();
        JsonParser parser = Json.MAPPER.createParser(in)) {
      ReadSlices slices = new ReadSlices(body, parser);
      parser.nextToken();
      slices.root();
      return new Slices(slices.message, slices.text, slices.usage);
    } catch (JacksonException | IOException e) {
      throw new IllegalStateException("a parsed body cannot be parsed again", e);
    }
  }

  private void root() {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("choices") && value == JsonToken.START_ARRAY) {
        choices();
      } else if (name.equals("usage")) {
        usage = value == JsonToken.START_OBJECT ? slice() : null;
      } else {
        parser.skipChildren();
      }
    }
  }

  private void choices() {
    message = null;
    text = null;
    for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
      if (index == 0 && parser.currentToken() == JsonToken.START_OBJECT) {
        choice();
      } else {
        parser.skipChildren();
      }
    }
  }

  private void choice() {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("message") && value == JsonToken.START_OBJECT) {
        message();
      } else {
        parser.skipChildren();
      }
    }
  }

  private void message() {
    int from = start();
    text = null;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("content")) {
        text = value == JsonToken.VALUE_STRING ? slice() : null;
      }
      parser.skipChildren();
    }
    message = body.slice(from, end());
  }

  /** The value that the parser stands at, which it then has passed. */
  private Body slice() {
    int from = start();
    parser.skipChildren();
    parser.finishToken();
    return body.slice(from, end());
  }

  private int start() {
    return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
  }

  private int end() {
    return Math.toIntExact(parser.currentLocation().getByteOffset());
  }
}
