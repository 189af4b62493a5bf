package dev.coatcheck.app.submit;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The {@code Prefer} header of RFC 7240, of which we know {@code wait}. */
public final class Preference {
  /** More is cut to this. */
  public static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private static final Pattern WAIT =
      Pattern.compile("(?i)\\s*wait\\s*(?:=\\s*(?:\"([^\"]*)\"|([^;\\s]*))\\s*)?(?:;.*)?");
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,100}");
  private static final int SAFE_DIGITS = 9;

  private Preference() {}

  /** How long the caller would wait; the first one counts, and is ignored if it is unreadable. */
  public static Optional<Duration> waitOf(HttpServletRequest request) {
    List<String> headers = Collections.list(request.getHeaders("Prefer"));
    for (String header : headers) {
      for (String preference : header.split(",", -1)) {
        Matcher wait = WAIT.matcher(preference);
        if (wait.matches()) {
          return seconds(wait.group(1) == null ? wait.group(2) : wait.group(1));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Duration> seconds(@Nullable String text) {
    if (text == null || !SECONDS.matcher(text.strip()).matches()) {
      return Optional.empty();
    }
    String digits = text.strip().replaceFirst("^0+(?=.)", "");
    Duration asked =
        digits.length() > SAFE_DIGITS ? LONGEST_WAIT : Duration.ofSeconds(Long.parseLong(digits));
    return Optional.of(asked.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : asked);
  }
}
