package dev.coatcheck.app.query;

import dev.coatcheck.app.json.Rfc3339;
import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.db.intake.JobFilter;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a list's query. A parameter that we do not know is refused, not ignored. */
public final class ReadFilter {
  private static final int DEFAULT_LIMIT = 20;
  private static final int MAX_LIMIT = 100;
  private static final int MAX_DIGITS = 3;
  private static final int MAX_PAIRS = 16;
  private static final String METADATA = "metadata[";

  private final List<Problem.FieldError> errors = new ArrayList<>();
  private final Map<String, String> parameters = new HashMap<>();
  private final Map<String, String> metadata = new HashMap<>();

  private ReadFilter() {}

  /** What a query says. */
  public sealed interface Read {
    record Filter(JobFilter filter) implements Read {}

    record Refused(Problem problem) implements Read {}
  }

  public static Read of(HttpServletRequest request) {
    return new ReadFilter().read(request.getQueryString() == null ? "" : request.getQueryString());
  }

  /** The problem of a cursor that stands for no job of the caller's. */
  public static Problem unknownCursor() {
    return Problem.of(
        ProblemCode.INVALID_REQUEST,
        List.of(new Problem.FieldError("after", "must be the id of a job")));
  }

  private Read read(String query) {
    Optional<List<QueryParameter>> parsed = QueryParameter.parse(query);
    if (parsed.isEmpty()) {
      return new Read.Refused(
          Problem.of(ProblemCode.INVALID_REQUEST, "the query is not percent-encoded UTF-8"));
    }
    parsed.get().forEach(this::take);
    var filter =
        new JobFilter(
            limit(),
            value("after")
                .flatMap(text -> orFault(JobId.parse(text), "after", "must be the id of a job")),
            value("status").flatMap(this::status),
            value("model").flatMap(this::model),
            metadata,
            value("created_after").flatMap(text -> instant("created_after", text)),
            value("created_before").flatMap(text -> instant("created_before", text)));
    return errors.isEmpty()
        ? new Read.Filter(filter)
        : new Read.Refused(Problem.of(ProblemCode.INVALID_REQUEST, errors));
  }

  private void take(QueryParameter parameter) {
    String name = parameter.name();
    switch (name) {
      case "limit", "after", "status", "model", "created_after", "created_before" ->
          put(parameters, name, parameter);
      default -> {
        if (name.startsWith(METADATA) && name.endsWith("]") && metadata.size() < MAX_PAIRS) {
          put(metadata, name.substring(METADATA.length(), name.length() - 1), parameter);
        } else {
          errors.add(new Problem.FieldError(name, "is not a parameter of this list"));
        }
      }
    }
  }

  private void put(Map<String, String> values, String key, QueryParameter parameter) {
    if (values.putIfAbsent(key, parameter.value()) != null) {
      errors.add(new Problem.FieldError(parameter.name(), "must be given once"));
    }
  }

  private Optional<String> value(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  private int limit() {
    String text = parameters.getOrDefault("limit", Integer.toString(DEFAULT_LIMIT));
    boolean number = text.matches("[0-9]{1," + MAX_DIGITS + "}");
    int limit = number ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > MAX_LIMIT) {
      errors.add(new Problem.FieldError("limit", "must be 1 to 100"));
      return DEFAULT_LIMIT;
    }
    return limit;
  }

  private Optional<JobStatus> status(String text) {
    Optional<JobStatus> known =
        Arrays.stream(JobStatus.values()).filter(status -> status.text().equals(text)).findFirst();
    return orFault(known, "status", "must be the status of a job");
  }

  /** No job has another, and the database has no text for U+0000. */
  private Optional<String> model(String text) {
    boolean lawful = text.chars().noneMatch(Character::isISOControl);
    return orFault(
        lawful ? Optional.of(text) : Optional.empty(), "model", "must have no control character");
  }

  /** A plus sign that was not encoded arrives as a space. */
  private Optional<Instant> instant(String name, String text) {
    return orFault(Rfc3339.parse(text.replace(' ', '+')), name, "must be an RFC 3339 time");
  }

  private <T> Optional<T> orFault(Optional<T> value, String name, String message) {
    if (value.isEmpty()) {
      errors.add(new Problem.FieldError(name, message));
    }
    return value;
  }
}
