package dev.coatcheck.db.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A value inside a JSON document that {@link StrictJson} has found no fault with: its very bytes,
 * so that member order, the spelling of numbers and escapes survive. Navigation scans; it does not
 * build a tree.
 */
public final class RawJson {
  /** What kind of value the bytes spell. */
  public enum Kind {
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  /**
   * A member of an object.
   *
   * @param name unescaped; may hold lone surrogates
   */
  public record Member(String name, RawJson value) {}

  private final byte[] document;
  private final int from;
  private final int to;

  private RawJson(byte[] document, int from, int to) {
    this.document = document;
    this.from = from;
    this.to = to;
  }

  /** The document's one value, without the white space around it. The bytes are not copied. */
  public static RawJson of(byte[] checked) {
    var scan = new Scan(checked, 0);
    int from = scan.skipSpace();
    return new RawJson(checked, from, scan.skipValue());
  }

  public Kind kind() {
    return switch (document[from]) {
      case '{' -> Kind.OBJECT;
      case '[' -> Kind.ARRAY;
      case '"' -> Kind.STRING;
      case 't', 'f' -> Kind.BOOLEAN;
      case 'n' -> Kind.NULL;
      default -> Kind.NUMBER;
    };
  }

  /** The value's bytes, as they were. */
  public byte[] bytes() {
    return Arrays.copyOfRange(document, from, to);
  }

  /** How many bytes the value has. */
  public int length() {
    return to - from;
  }

  /** An object's members in their order. */
  public List<Member> members() {
    require(Kind.OBJECT);
    var members = new ArrayList<Member>();
    var scan = new Scan(document, from + 1);
    while (scan.moreBefore('}')) {
      RawJson name = next(scan);
      scan.pass(':');
      members.add(new Member(name.text(), next(scan)));
    }
    return members;
  }

  /** The member of that name, if the object has it. */
  public Optional<RawJson> member(String name) {
    return members().stream().filter(m -> m.name().equals(name)).map(Member::value).findFirst();
  }

  /** An array's elements. */
  public List<RawJson> elements() {
    require(Kind.ARRAY);
    var elements = new ArrayList<RawJson>();
    var scan = new Scan(document, from + 1);
    while (scan.moreBefore(']')) {
      elements.add(next(scan));
    }
    return elements;
  }

  /** A string's characters, unescaped. Lone surrogates stay what they are. */
  public String text() {
    require(Kind.STRING);
    return Escapes.undo(new String(document, from + 1, length() - 2, StandardCharsets.UTF_8));
  }

  /** The value as it is spelt. */
  public String spelling() {
    return new String(document, from, to - from, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "RawJson";
  }

  private RawJson next(Scan scan) {
    int start = scan.skipSpace();
    return new RawJson(document, start, scan.skipValue());
  }

  private void require(Kind kind) {
    if (kind() != kind) {
      throw new IllegalStateException("not a JSON " + kind);
    }
  }
}
