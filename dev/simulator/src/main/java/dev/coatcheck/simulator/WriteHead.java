package dev.coatcheck.simulator;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes the head of an answer. */
final class WriteHead {
  private static volatile DateLine date = DateLine.of(Instant.EPOCH);

  /** The date as a header has it, once a second. */
  private record DateLine(long second, String text) {
    static DateLine of(Instant now) {
      var text = DateTimeFormatter.RFC_1123_DATE_TIME.format(now.atOffset(ZoneOffset.UTC));
      return new DateLine(now.getEpochSecond(), text);
    }
  }

  private WriteHead() {}

  static StringBuilder of(Reply reply, ReceivedRequest request) {
    var out = new StringBuilder(320);
    out.append("HTTP/1.1 ").append(reply.status()).append(' ');
    out.append(reason(reply.status())).append("\r\n");
    for (var line : reply.headers().lines()) {
      out.append(line.name()).append(": ").append(line.value()).append("\r\n");
    }
    var now = Instant.now();
    line(out, reply, "date", date(now));
    line(out, reply, "x-request-id", "req_sim" + request.number());
    line(out, reply, "openai-processing-ms", processingMs(request, now));
    framing(out, reply);
    if (reply.framing() == Framing.UNTIL_CLOSE || request.head().endsConnection()) {
      line(out, reply, "connection", "close");
    }
    return out.append("\r\n");
  }

  private static void framing(StringBuilder out, Reply reply) {
    if (reply.headers().has("content-length") || reply.headers().has("transfer-encoding")) {
      return;
    }
    switch (reply.framing()) {
      case LENGTH -> {
        if (reply.status() >= 200 && reply.status() != 204 && reply.status() != 304) {
          line(out, reply, "content-length", Integer.toString(reply.body().length()));
        }
      }
      case CHUNKED -> line(out, reply, "transfer-encoding", "chunked");
      case UNTIL_CLOSE -> {}
    }
  }

  private static void line(StringBuilder out, Reply reply, String name, String value) {
    if (!reply.headers().has(name)) {
      out.append(name).append(": ").append(value).append("\r\n");
    }
  }

  private static String processingMs(ReceivedRequest request, Instant now) {
    return Long.toString(Math.max(1, Duration.between(request.arrivedAt(), now).toMillis()));
  }

  private static String date(Instant now) {
    var line = date;
    if (line.second() != now.getEpochSecond()) {
      line = DateLine.of(now);
      date = line;
    }
    return line.text();
  }

  private static String reason(int status) {
    return switch (status) {
      case 200 -> "OK";
      case 204 -> "No Content";
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 404 -> "Not Found";
      case 429 -> "Too Many Requests";
      case 500 -> "Internal Server Error";
      case 502 -> "Bad Gateway";
      case 503 -> "Service Unavailable";
      default -> "Simulated";
    };
  }
}
