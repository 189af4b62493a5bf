package dev.coatcheck.worker.retry;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The three forms of RFC 9110, section 5.6.7. The day of the week is not held against anybody. */
final class HttpDate {
  private static final String TIME = "(?<h>\\d\\d):(?<m>\\d\\d):(?<s>\\d\\d)";
  private static final Pattern IMF =
      Pattern.compile("\\w{3}, (?<day>\\d\\d) (?<month>\\w{3}) (?<year>\\d{4}) " + TIME + " GMT");
  private static final Pattern RFC_850 =
      Pattern.compile("\\w{6,9}, (?<day>\\d\\d)-(?<month>\\w{3})-(?<year>\\d\\d) " + TIME + " GMT");
  private static final Pattern ASCTIME =
      Pattern.compile("\\w{3} (?<month>\\w{3}) (?<day>[ \\d]\\d) " + TIME + " (?<year>\\d{4})");
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

  /** Two-digit years below this belong to this century: RFC 850 dates are long out of use. */
  private static final int CENTURY_SPLIT = 70;

  private HttpDate() {}

  static Optional<Instant> parse(String text) {
    for (Pattern form : List.of(IMF, RFC_850, ASCTIME)) {
      Matcher date = form.matcher(text);
      if (date.matches()) {
        return instant(date);
      }
    }
    return Optional.empty();
  }

  private static Optional<Instant> instant(Matcher date) {
    int month = MONTHS.indexOf(date.group("month").toLowerCase(Locale.ROOT)) + 1;
    try {
      LocalDateTime at =
          LocalDateTime.of(
              year(date.group("year")),
              month,
              Integer.parseInt(date.group("day").strip()),
              Integer.parseInt(date.group("h")),
              Integer.parseInt(date.group("m")),
              // A leap second is the second before it.
              Math.min(59, Integer.parseInt(date.group("s"))));
      return Optional.of(at.toInstant(ZoneOffset.UTC));
    } catch (DateTimeException noSuchDay) {
      return Optional.empty();
    }
  }

  private static int year(String digits) {
    int year = Integer.parseInt(digits);
    if (digits.length() == 4) {
      return year;
    }
    return year < CENTURY_SPLIT ? 2000 + year : 1900 + year;
  }
}
