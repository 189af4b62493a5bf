package dev.coatcheck.simulator;

import java.util.ArrayList;
import java.util.List;

/** Turns the text of a request's head into its parts. */
final class ParseHead {
  private static final int MAX_HEADER_LINES = 200;

  private ParseHead() {}

  static RequestHead parse(String text) throws MalformedRequest {
    var lines = text.split("\r\n", -1);
    var request = lines[0].split(" ", -1);
    if (request.length != 3 || !isVersion(request[2]) || !isMethod(request[0])) {
      throw new MalformedRequest(400, "not a request line of HTTP/1.1");
    }
    return new RequestHead(request[0], target(request[1]), request[2], headers(lines));
  }

  private static boolean isVersion(String version) {
    return version.equals("HTTP/1.1") || version.equals("HTTP/1.0");
  }

  private static boolean isMethod(String method) {
    return !method.isEmpty() && method.chars().allMatch(c -> c >= 'A' && c <= 'Z');
  }

  private static String target(String target) throws MalformedRequest {
    if (!target.startsWith("/") || target.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
      throw new MalformedRequest(400, "not a request target");
    }
    return target;
  }

  private static Headers headers(String[] lines) throws MalformedRequest {
    if (lines.length > MAX_HEADER_LINES) {
      throw new MalformedRequest(431, "more than " + MAX_HEADER_LINES + " headers");
    }
    List<Header> headers = new ArrayList<>(lines.length);
    for (int i = 1; i < lines.length; i++) {
      headers.add(header(lines[i]));
    }
    return new Headers(headers);
  }

  private static Header header(String line) throws MalformedRequest {
    int colon = line.indexOf(':');
    if (colon < 0) {
      throw new MalformedRequest(400, "a header without a colon");
    }
    try {
      return new Header(line.substring(0, colon), line.substring(colon + 1).strip());
    } catch (IllegalArgumentException refused) {
      throw new MalformedRequest(400, "a header with bytes it may not have");
    }
  }
}
