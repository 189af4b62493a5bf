package dev.coatcheck.app;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class Json {
  private static final JsonMapper MAPPER = new JsonMapper();

  private Json() {}

  static JsonNode read(String text) {
    return MAPPER.readTree(text);
  }

  /** A JSON string. */
  static String quote(String text) {
    return MAPPER.writeValueAsString(text);
  }
}
