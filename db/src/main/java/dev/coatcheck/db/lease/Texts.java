package dev.coatcheck.db.lease;

import org.jspecify.annotations.Nullable;

/**
 * Makes a stranger's text fit for a text column, which takes neither U+0000 nor lone surrogates.
 */
public final class Texts {
  private static final char REPLACEMENT = '\uFFFD';

  private Texts() {}

  public static @Nullable String storable(@Nullable String text) {
    if (text == null) {
      return null;
    }
    var clean = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char current = text.charAt(i);
      if (Character.isHighSurrogate(current)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        clean.append(current).append(text.charAt(++i));
      } else {
        clean.append(current == 0 || Character.isSurrogate(current) ? REPLACEMENT : current);
      }
    }
    return clean.toString();
  }
}
