package dev.coatcheck.db.tool;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import java.util.regex.Pattern;

/**
 * A schema's pattern that gives up on a text: some would look at one that nearly fits for hours. It
 * counts, so that the same text always comes out the same.
 */
final class BoundedPattern implements RegularExpression {
  /** Looks at a character. A plain pattern takes one for each, and a text has a million at most. */
  static final int MAX_LOOKS = 20_000_000;

  private final Pattern pattern;

  /** In the library's own reading of a schema's pattern. */
  BoundedPattern(String regex) {
    this.pattern =
        Pattern.compile(
            RegularExpressions.replaceLongformCharacterProperties(
                RegularExpressions.replaceDollarAnchors(regex)));
  }

  /**
   * @throws GivenUp after too many looks
   */
  @Override
  public boolean matches(String value) {
    return pattern.matcher(new Looked(value)).find();
  }

  /** The library knows of no third answer. */
  static final class GivenUp extends RuntimeException {
    private static final long serialVersionUID = 1;

    GivenUp() {
      super("given up after " + MAX_LOOKS + " looks at a text");
    }
  }

  private static final class Looked implements CharSequence {
    private final String text;
    private int looks;

    Looked(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      looks++;
      if (looks > MAX_LOOKS) {
        throw new GivenUp();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
