package dev.coatcheck.worker.egress;

import java.util.regex.Pattern;

/** One header field to send. */
public record Header(String name, String value) {
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
  private static final Pattern VALUE =
      Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?|");

  public Header {
    if (!isLawful(name, value)) {
      throw new IllegalArgumentException("a header is a token and visible ASCII");
    }
  }

  /** Whether name and value can be sent: nothing in them can end a line. */
  public static boolean isLawful(String name, String value) {
    return NAME.matcher(name).matches() && VALUE.matcher(value).matches();
  }

  /** Never the value: it may be a secret. */
  @Override
  public String toString() {
    return "Header[" + name + "]";
  }
}
