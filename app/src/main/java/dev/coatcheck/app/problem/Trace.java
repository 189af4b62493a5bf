package dev.coatcheck.app.problem;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where an exception comes from, without its words: they may quote the caller. */
final class Trace {
  private static final int MAX_CAUSES = 8;
  private static final int MAX_FRAMES = 12;

  private Trace() {}

  static String of(Throwable failure) {
    var trace = new StringBuilder();
    @Nullable Throwable cause = failure;
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      trace.append(i == 0 ? "failure=" : " cause=").append(cause.getClass().getName());
      trace.append(
          Arrays.stream(cause.getStackTrace())
              .limit(MAX_FRAMES)
              .map(StackTraceElement::toString)
              .collect(Collectors.joining(", ", " at [", "]")));
      cause = cause.getCause();
    }
    return trace.toString();
  }
}
