package dev.coatcheck.db.json;

import java.util.HexFormat;

/** Text as a JSON string in ASCII: U+0000 and half surrogates survive, in columns too. */
public final class AsciiJson {
  private AsciiJson() {}

  public static String quote(String text) {
    var json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < 0x20 || c > 0x7e) {
        json.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
