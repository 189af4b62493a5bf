package dev.coatcheck.db.json;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A spelling that two JSON values share exactly when they are equal: member order, white space and
 * escapes do not count, and numbers compare by value. It is hashed and compared, never shown.
 */
public final class CanonicalJson {
  private CanonicalJson() {}

  /** The canonical bytes of a checked value. */
  public static byte[] of(RawJson value) {
    var out = new ByteArrayOutputStream(value.length());
    write(value, out);
    return out.toByteArray();
  }

  private static void write(RawJson value, ByteArrayOutputStream out) {
    switch (value.kind()) {
      case OBJECT -> writeObject(value.members(), out);
      case ARRAY -> {
        out.write('[');
        value.elements().forEach(element -> write(element, out));
        out.write(']');
      }
      case STRING -> writeText('s', value.text(), out);
      case NUMBER -> writeText('n', number(value.spelling()), out);
      case BOOLEAN, NULL -> out.write(value.bytes()[0]);
    }
  }

  private static void writeObject(List<RawJson.Member> members, ByteArrayOutputStream out) {
    var sorted = new ArrayList<>(members);
    sorted.sort(Comparator.comparing(RawJson.Member::name));
    out.write('{');
    for (RawJson.Member member : sorted) {
      writeText('k', member.name(), out);
      write(member.value(), out);
    }
    out.write('}');
  }

  /** With its length before it, as UTF-16, so that lone surrogates stay distinct. */
  private static void writeText(char tag, String text, ByteArrayOutputStream out) {
    out.write(tag);
    out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(text.length()).array());
    out.writeBytes(utf16(text));
  }

  private static byte[] utf16(String text) {
    ByteBuffer units = ByteBuffer.allocate(text.length() * Character.BYTES);
    units.asCharBuffer().put(text);
    return units.array();
  }

  /** Significant digits and exponent. Never expanded: 1e999999999 is short, its digits are not. */
  private static String number(String spelling) {
    boolean negative = spelling.startsWith("-");
    String unsigned = negative ? spelling.substring(1) : spelling;
    int e = Math.max(unsigned.indexOf('e'), unsigned.indexOf('E'));
    String mantissa = e < 0 ? unsigned : unsigned.substring(0, e);
    BigInteger exponent = e < 0 ? BigInteger.ZERO : new BigInteger(unsigned.substring(e + 1));
    int point = mantissa.indexOf('.');
    int fraction = point < 0 ? 0 : mantissa.length() - point - 1;
    String digits = mantissa.replace(".", "").replaceFirst("^0+", "");
    String significant = digits.replaceFirst("0+$", "");
    if (significant.isEmpty()) {
      return "0";
    }
    int trailing = digits.length() - significant.length();
    BigInteger power = exponent.add(BigInteger.valueOf(trailing - (long) fraction));
    return (negative ? "-" : "") + significant + "e" + power;
  }
}
