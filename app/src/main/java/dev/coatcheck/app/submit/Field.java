package dev.coatcheck.app.submit;

import dev.coatcheck.app.json.Rfc3339;
import dev.coatcheck.db.json.RawJson;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one member of a request; what is wrong with it goes to the faults. */
record Field(String path, RawJson value, Faults faults) {
  private static final Pattern WEEKS = Pattern.compile("P([0-9]{1,4})W");
  private static final int DAYS_A_WEEK = 7;

  Optional<Integer> integer(int least, int most) {
    if (value.kind() == RawJson.Kind.NUMBER) {
      try {
        int number = new BigDecimal(value.spelling()).intValueExact();
        if (number >= least && number <= most) {
          return Optional.of(number);
        }
      } catch (ArithmeticException | NumberFormatException e) {
        return fault("must be a whole number of " + least + " to " + most);
      }
    }
    return fault("must be a whole number of " + least + " to " + most);
  }

  Optional<Duration> duration(Duration least, Duration most) {
    Optional<Duration> duration = text().flatMap(Field::parseDuration);
    return duration.isPresent()
            && duration.get().compareTo(least) >= 0
            && duration.get().compareTo(most) <= 0
        ? duration
        : fault("must be an ISO-8601 duration of " + least + " to " + spell(most));
  }

  Optional<Instant> instant() {
    Optional<Instant> instant = text().flatMap(Rfc3339::parse);
    return instant.isPresent()
        ? instant
        : fault("must be an RFC 3339 time, such as 2026-12-01T08:00:00Z");
  }

  /** The value, if it is of that kind. */
  Optional<RawJson> of(RawJson.Kind kind) {
    return value.kind() == kind ? Optional.of(value) : fault("must be " + article(kind));
  }

  /** A member of this one. */
  Field in(RawJson.Member member) {
    return new Field(path + "." + member.name(), member.value(), faults);
  }

  /** An element of this one. */
  Field at(int index, RawJson element) {
    return new Field(path + "[" + index + "]", element, faults);
  }

  <T> Optional<T> fault(String message) {
    faults.add(path, message);
    return Optional.empty();
  }

  /** What another configuration would take. */
  <T> Optional<T> faultForNow(String message) {
    faults.addForNow(path, message);
    return Optional.empty();
  }

  private Optional<String> text() {
    return value.kind() == RawJson.Kind.STRING ? Optional.of(value.text()) : Optional.empty();
  }

  private static Optional<Duration> parseDuration(String text) {
    Matcher weeks = WEEKS.matcher(text);
    if (weeks.matches()) {
      return Optional.of(Duration.ofDays(DAYS_A_WEEK * Long.parseLong(weeks.group(1))));
    }
    try {
      return Optional.of(Duration.parse(text));
    } catch (DateTimeException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  private static String article(RawJson.Kind kind) {
    return switch (kind) {
      case ARRAY -> "an array";
      case OBJECT -> "an object";
      case STRING -> "a string";
      case NUMBER -> "a number";
      case BOOLEAN -> "true or false";
      case NULL -> "null";
    };
  }

  /** Whole days as the documentation has them. */
  private static String spell(Duration duration) {
    return duration.toDays() > 0 && duration.equals(Duration.ofDays(duration.toDays()))
        ? "P" + duration.toDays() + "D"
        : duration.toString();
  }
}
