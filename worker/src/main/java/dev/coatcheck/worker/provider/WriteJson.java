package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.provider.GrowJson.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/** Writes JSON as a provider would: in UTF-8, with escapes for what that cannot hold. */
public final class WriteJson {
  private static final int PIECE = 8 * 1024;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Something that is JSON already. */
  WriteJson raw(Body json) {
    try {
      json.writeTo(out);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public WriteJson raw(String json) {
    out.writeBytes(json.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** A comma, unless a value begins here. */
  WriteJson separator(boolean isFirst) {
    return isFirst ? this : raw(",");
  }

  WriteJson name(CharSequence name) {
    return string(name).raw(":");
  }

  public WriteJson string(CharSequence text) {
    var json = new StringBuilder(Math.min(text.length(), PIECE) + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c == '\n') {
        json.append("\\n");
      } else if (c < 0x20 || isHalf(text, i)) {
        json.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else {
        json.append(c);
      }
      if (json.length() >= PIECE && !Character.isHighSurrogate(c)) {
        raw(json.toString());
        json.setLength(0);
      }
    }
    return raw(json.append('"').toString());
  }

  private static boolean isHalf(CharSequence text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
    }
    return Character.isLowSurrogate(c)
        && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }

  WriteJson part(Part part) {
    return switch (part) {
      case Part.Text(StringBuilder text) -> string(text);
      case Part.Fixed(var value) -> raw(value.toString());
      case Part.Items(var items) -> {
        raw("[");
        for (int i = 0; i < items.size(); i++) {
          separator(i == 0).part(items.get(i));
        }
        yield raw("]");
      }
      case Part.Members(var members) -> object(members);
    };
  }

  private WriteJson object(Map<String, Part> members) {
    raw("{");
    boolean isFirst = true;
    for (Map.Entry<String, Part> member : members.entrySet()) {
      separator(isFirst).name(member.getKey()).part(member.getValue());
      isFirst = false;
    }
    return raw("}");
  }

  public Body end() {
    return Body.of(out.toByteArray());
  }
}
