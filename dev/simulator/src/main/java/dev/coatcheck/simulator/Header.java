package dev.coatcheck.simulator;

/** One header line. Bytes that would end the line are refused; lies of that kind are sent raw. */
public record Header(String name, String value) {
  public Header {
    if (name.isEmpty() || !name.chars().allMatch(Header::isToken)) {
      throw new IllegalArgumentException("not a header name: " + name);
    }
    if (!value.chars().allMatch(Header::isText)) {
      throw new IllegalArgumentException("not a header value, of " + name);
    }
  }

  private static boolean isToken(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  private static boolean isText(int c) {
    return c == '\t' || (c >= ' ' && c != 0x7f);
  }
}
