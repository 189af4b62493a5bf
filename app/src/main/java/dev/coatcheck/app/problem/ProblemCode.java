package dev.coatcheck.app.problem;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The errors of the API itself. Codes are never reused. */
public enum ProblemCode {
  INVALID_REQUEST(
      400,
      "The request is not valid",
      "The request has a member, parameter or header with a value that is not accepted; errors says which and why."),
  UNKNOWN_MEMBER(
      400,
      "The request has an unknown member",
      "The body has a top-level member that this version does not know. Nothing is ignored silently."),
  MODEL_UNKNOWN(
      400, "The model is not known", "The model names a provider, but no model of that provider."),
  TOOL_UNKNOWN(400, "The tool is not known", "The request names a tool that is not configured."),
  IDEMPOTENCY_KEY_MISSING(
      400,
      "The Idempotency-Key header is missing",
      "Every submit carries an Idempotency-Key, so that it can be repeated without being paid for twice."),
  IDEMPOTENCY_KEY_INVALID(
      400,
      "The Idempotency-Key header is not valid",
      "An idempotency key is 1 to 255 visible ASCII characters, bare or in double quotes, and is sent once."),
  UNAUTHORIZED(
      401,
      "An API key is required",
      "The request has no API key that is in force. Send it as Authorization: Bearer."),
  JOB_NOT_FOUND(404, "There is no such job", "The caller's tenant has no job of that id."),
  NOT_FOUND(404, "There is nothing here", "No route has that path."),
  METHOD_NOT_ALLOWED(
      405, "The method is not allowed here", "The Allow header says which methods are."),
  NOT_ACCEPTABLE(
      406, "No acceptable answer", "The answer has no form that the Accept header admits."),
  JOB_NOT_ENDED(409, "The job has not ended", "That can be done to an ended job only."),
  ALREADY_DECIDED(
      409,
      "Already decided",
      "The tool call was decided before, in another way, or does not ask for that decision."),
  BODY_TOO_LARGE(413, "The body is too large", "A body has 4 MiB at most."),
  UNSUPPORTED_MEDIA_TYPE(
      415,
      "The media type is not supported",
      "A body is JSON in UTF-8, with Content-Type: application/json and no Content-Encoding."),
  IDEMPOTENCY_KEY_REUSED(
      422,
      "The idempotency key was used for another request",
      "Repeat the request as it was, or use a new key. job_id is the job that the key stands for, differs names what is not the same."),
  TOO_MANY_JOBS(
      429,
      "Too many open jobs",
      "The tenant has as many jobs that have not ended as it may have. Repeat after Retry-After."),
  TOO_MANY_STREAMS(
      429,
      "Too many open streams",
      "The tenant, or this process, has as many open event streams as it may have. Close some, or poll."),
  INTERNAL_ERROR(500, "Something went wrong here", "The log has it under the request's id."),
  UNAVAILABLE(
      503,
      "The service is not available",
      "The database is away. Repeat after Retry-After; a submit with the same idempotency key makes one job, whatever became of this one.");

  private final int status;
  private final String title;
  private final String explanation;

  ProblemCode(int status, String title, String explanation) {
    this.status = status;
    this.title = title;
    this.explanation = explanation;
  }

  public int status() {
    return status;
  }

  /** The same for each problem of this code. */
  public String title() {
    return title;
  }

  /** What the page of this code says. */
  public String explanation() {
    return explanation;
  }

  /** The name in the API. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The last segment of the page's path. */
  public String slug() {
    return text().replace('_', '-');
  }

  /** By the last segment of its page's path. */
  public static Optional<ProblemCode> ofSlug(String slug) {
    return Arrays.stream(values()).filter(code -> code.slug().equals(slug)).findFirst();
  }

  /** What an HTTP status means that a server answers by itself. */
  public static ProblemCode ofStatus(int status) {
    return switch (status) {
      case 401 -> UNAUTHORIZED;
      case 404 -> NOT_FOUND;
      case 405 -> METHOD_NOT_ALLOWED;
      case 406 -> NOT_ACCEPTABLE;
      case 413 -> BODY_TOO_LARGE;
      case 415 -> UNSUPPORTED_MEDIA_TYPE;
      case 503 -> UNAVAILABLE;
      default -> status < 500 ? INVALID_REQUEST : INTERNAL_ERROR;
    };
  }
}
