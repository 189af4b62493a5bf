package dev.coatcheck.app.api;

import jakarta.servlet.http.HttpServletRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Entity tags (RFC 9110, section 8.8.3): the hash of a body. */
final class ETag {
  private static final Pattern TAG = Pattern.compile("(?:W/)?(\"[^\"]*\")");
  private static final int HASH_BYTES = 16;

  private ETag() {}

  static String of(byte[] body) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(body);
      return '"' + HexFormat.of().formatHex(hash, 0, HASH_BYTES) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Whether {@code If-None-Match} names the tag; weak comparison, as the header asks for. */
  static boolean isNamed(HttpServletRequest request, String tag) {
    List<String> headers = Collections.list(request.getHeaders("If-None-Match"));
    for (String header : headers) {
      if (header.strip().equals("*")) {
        return true;
      }
      Matcher tags = TAG.matcher(header);
      while (tags.find()) {
        if (tags.group(1).equals(tag)) {
          return true;
        }
      }
    }
    return false;
  }
}
