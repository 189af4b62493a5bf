package dev.coatcheck.worker.provider;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.worker.egress.Body;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A body that is JSON, as bytes and as a tree. */
record Json(Body bytes, JsonNode tree) {
  private static final int MAX_DEPTH = 256;
  private static final int MAX_NUMBER = 1_000;
  private static final int MAX_NAME = 50_000;
  private static final int MAX_STRING = 256 * 1024 * 1024;

  static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(MAX_NUMBER)
                          .maxNameLength(MAX_NAME)
                          .maxStringLength(MAX_STRING)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  static Optional<Json> parse(Body bytes) {
    if (bytes.length() == 0 || !isUtf8(bytes)) {
      return Optional.empty();
    }
    try (InputStream in = bytes.open()) {
      JsonNode tree = MAPPER.readTree(in);
      return tree == null || tree.isMissingNode()
          ? Optional.empty()
          : Optional.of(new Json(bytes, tree));
    } catch (JacksonException | java.io.IOException e) {
      return Optional.empty();
    }
  }

  /** The value itself, in its own bytes. */
  RawJson raw() {
    byte[] all = bytes.toBytes();
    boolean isMarked = all.length > 2 && all[0] == (byte) 0xEF && all[1] == (byte) 0xBB;
    return RawJson.of(isMarked ? Arrays.copyOfRange(all, 3, all.length) : all);
  }

  /** JSON on the wire is UTF-8; other encodings, which the parser would guess, show NULs early. */
  private static boolean isUtf8(Body bytes) {
    for (int i = 0; i < Math.min(4, bytes.length()); i++) {
      if (bytes.at(i) == 0) {
        return false;
      }
    }
    return bytes.at(0) != (byte) 0xFE && bytes.at(0) != (byte) 0xFF;
  }

  /** A text as a JSON string in ASCII: half surrogates, which UTF-8 cannot hold, survive. */
  static Body string(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < 0x20 || c > 0x7e) {
        json.append("\\u").append(java.util.HexFormat.of().toHexDigits(c));
      } else {
        json.append(c);
      }
    }
    return Body.utf8(json.append('"').toString());
  }
}
