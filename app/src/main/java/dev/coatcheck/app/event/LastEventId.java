package dev.coatcheck.app.event;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The {@code Last-Event-ID} header: the number of the last event that a caller has. */
public final class LastEventId {
  public static final String HEADER = "Last-Event-ID";

  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");

  private LastEventId() {}

  /**
   * The number, 0 if the caller names none; empty if it cannot be one of ours. Browsers leave the
   * header out, others send it empty, for the same.
   */
  public static Optional<Integer> of(HttpServletRequest request) {
    List<String> values = Collections.list(request.getHeaders(HEADER));
    if (values.isEmpty() || values.equals(List.of(""))) {
      return Optional.of(0);
    }
    return values.size() == 1 && NUMBER.matcher(values.getFirst()).matches()
        ? Optional.of(Integer.valueOf(values.getFirst()))
        : Optional.empty();
  }
}
