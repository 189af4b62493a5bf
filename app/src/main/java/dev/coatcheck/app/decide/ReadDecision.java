package dev.coatcheck.app.decide;

import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.app.submit.BodyType;
import dev.coatcheck.app.submit.ReadBody;
import dev.coatcheck.db.call.CallResult;
import dev.coatcheck.db.intake.Decision;
import dev.coatcheck.db.json.CanonicalJson;
import dev.coatcheck.db.json.JsonFault;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.json.StrictJson;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the body of a decision. */
public final class ReadDecision {
  private static final byte[] NOTHING = "{}".getBytes(StandardCharsets.UTF_8);
  private static final int MAX_WORDS = 2_000;

  private ReadDecision() {}

  /** What may be decided. The names are the last segments of the routes. */
  public enum Action {
    APPROVE,
    DENY,
    OUTPUT,
    RESOLVE
  }

  /** What a request says. */
  public sealed interface Read {
    record Decided(Decision decision) implements Read {}

    record Refused(Problem problem) implements Read {}
  }

  /** Reads it, or says what is wrong with it. */
  public static Read of(HttpServletRequest request, Action action) throws IOException {
    Optional<byte[]> bytes = ReadBody.of(request);
    if (bytes.isEmpty()) {
      return new Read.Refused(Problem.of(ProblemCode.BODY_TOO_LARGE));
    }
    if (bytes.get().length == 0) {
      return read(RawJson.of(NOTHING), action);
    }
    if (!BodyType.isJson(request)) {
      return new Read.Refused(Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE));
    }
    Optional<JsonFault> malformed = StrictJson.faultOf(bytes.get());
    return malformed.isPresent()
        ? refused(malformed.get().detail())
        : read(RawJson.of(bytes.get()), action);
  }

  private static Read read(RawJson body, Action action) {
    if (body.kind() != RawJson.Kind.OBJECT) {
      return refused("the body must be a JSON object");
    }
    Set<String> known =
        switch (action) {
          case APPROVE -> Set.of();
          case DENY -> Set.of("reason");
          case OUTPUT -> Set.of("output", "error");
          case RESOLVE -> Set.of("outcome", "result");
        };
    for (RawJson.Member member : body.members()) {
      if (!known.contains(member.name())) {
        return new Read.Refused(
            Problem.of(
                ProblemCode.UNKNOWN_MEMBER,
                List.of(
                    new Problem.FieldError(member.name(), "is not a member of this decision"))));
      }
    }
    return switch (action) {
      case APPROVE -> new Read.Decided(new Decision.Approve());
      case DENY -> deny(body);
      case OUTPUT -> output(body);
      case RESOLVE -> resolve(body);
    };
  }

  private static Read deny(RawJson body) {
    Optional<RawJson> reason = member(body, "reason");
    if (reason.isPresent() && !isWords(reason.get())) {
      return refused("reason must be a string of at most 2,000 characters");
    }
    return new Read.Decided(new Decision.Deny(reason.map(RawJson::text).orElse("")));
  }

  private static Read output(RawJson body) {
    Optional<RawJson> output = body.member("output");
    Optional<RawJson> error = member(body, "error");
    if (output.isPresent() == error.isPresent()) {
      return refused("exactly one of output and error is required");
    }
    if (output.isPresent()) {
      return new Read.Decided(new Decision.Output(result(output.get()), hashed(body)));
    }
    return isWords(error.orElseThrow())
        ? new Read.Decided(new Decision.Failed(error.get().text()))
        : refused("error must be a string of at most 2,000 characters");
  }

  private static Read resolve(RawJson body) {
    Optional<RawJson> result = body.member("result");
    return switch (member(body, "outcome").map(RawJson::spelling).orElse("")) {
      case "\"done\"" ->
          new Read.Decided(
              new Decision.Done(
                  result.map(ReadDecision::result).orElse(CallResult.EMPTY), hashed(body)));
      case "\"not_done\"" ->
          result.isPresent()
              ? refused("result goes with the outcome done")
              : new Read.Decided(new Decision.NotDone());
      default -> refused("outcome must be done or not_done");
    };
  }

  /** A text is for the model to read as it is, without its quotes. */
  private static CallResult result(RawJson value) {
    return switch (value.kind()) {
      case STRING -> text(value);
      case NULL -> CallResult.EMPTY;
      case OBJECT, ARRAY, NUMBER, BOOLEAN -> CallResult.of(value.bytes());
    };
  }

  /** Half surrogates have no UTF-8: such a text stays JSON. */
  private static CallResult text(RawJson value) {
    String text = value.text();
    return StandardCharsets.UTF_8.newEncoder().canEncode(text)
        ? CallResult.text(text)
        : CallResult.of(value.bytes());
  }

  private static byte[] hashed(RawJson body) {
    return CanonicalJson.of(body);
  }

  private static boolean isWords(RawJson value) {
    return value.kind() == RawJson.Kind.STRING && value.text().length() <= MAX_WORDS;
  }

  private static Optional<RawJson> member(RawJson body, String name) {
    return body.member(name).filter(value -> value.kind() != RawJson.Kind.NULL);
  }

  private static Read refused(String detail) {
    return new Read.Refused(Problem.of(ProblemCode.INVALID_REQUEST, detail));
  }
}
