package dev.coatcheck.app.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Writes records as JSON: members in the record's order, names in snake case. */
public final class JsonText {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultPropertyInclusion(
              inclusion -> inclusion.withValueInclusion(JsonInclude.Include.ALWAYS))
          .build();

  private static final String HEX_ESCAPE = "\\u%04x";

  private JsonText() {}

  /** The record as UTF-8. */
  public static byte[] write(Object record) {
    String text = MAPPER.writeValueAsString(record);
    return (hasLoneSurrogate(text) ? escapeLoneSurrogates(text) : text)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static boolean hasLoneSurrogate(String text) {
    return text.codePoints().anyMatch(JsonText::isSurrogate);
  }

  /** They occur inside strings only, where an escape is their one spelling in UTF-8. */
  private static String escapeLoneSurrogates(String text) {
    var escaped = new StringBuilder(text.length() + HEX_ESCAPE.length());
    text.codePoints()
        .forEach(
            point -> {
              if (isSurrogate(point)) {
                escaped.append(HEX_ESCAPE.formatted(point));
              } else {
                escaped.appendCodePoint(point);
              }
            });
    return escaped.toString();
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
