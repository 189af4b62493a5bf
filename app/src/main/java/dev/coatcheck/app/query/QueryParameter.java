package dev.coatcheck.app.query;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One parameter of a query, decoded. */
record QueryParameter(String name, String value) {
  private static final int HEX = 16;
  private static final int ESCAPE = 3;

  /** The query's parameters in their order; empty if it cannot be decoded. */
  static Optional<List<QueryParameter>> parse(String query) {
    var parameters = new ArrayList<QueryParameter>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      Optional<String> name = decode(equals < 0 ? pair : pair.substring(0, equals));
      Optional<String> value = decode(equals < 0 ? "" : pair.substring(equals + 1));
      if (name.isEmpty() || value.isEmpty()) {
        return Optional.empty();
      }
      if (!pair.isEmpty()) {
        parameters.add(new QueryParameter(name.get(), value.get()));
      }
    }
    return Optional.of(parameters);
  }

  private static Optional<String> decode(String text) {
    var bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        int value = hex(text, i);
        if (value < 0) {
          return Optional.empty();
        }
        bytes.write(value);
        i += ESCAPE - 1;
      } else {
        bytes.write(c == '+' ? ' ' : c);
      }
    }
    return utf8(bytes.toByteArray());
  }

  private static int hex(String text, int at) {
    if (at + ESCAPE > text.length()) {
      return -1;
    }
    int high = Character.digit(text.charAt(at + 1), HEX);
    int low = Character.digit(text.charAt(at + 2), HEX);
    return high < 0 || low < 0 ? -1 : high * HEX + low;
  }

  private static Optional<String> utf8(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
