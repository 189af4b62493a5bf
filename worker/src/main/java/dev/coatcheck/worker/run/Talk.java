package dev.coatcheck.worker.run;

import dev.coatcheck.db.call.LoadTurns;
import dev.coatcheck.db.call.LoadTurns.Finished;
import dev.coatcheck.db.json.AsciiJson;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.provider.PastTurn;
import dev.coatcheck.worker.provider.ToolResult;
import dev.coatcheck.worker.provider.ToolResult.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Tells a model what came of the tools that it asked for. */
final class Talk {
  private Talk() {}

  static List<PastTurn> of(List<LoadTurns.Turn> turns) {
    return turns.stream()
        .map(
            turn ->
                new PastTurn(
                    Body.of(turn.message()), turn.calls().stream().map(Talk::result).toList()))
        .toList();
  }

  private static ToolResult result(Finished call) {
    return switch (call.state()) {
      case DONE -> new ToolResult(call.providerId(), call.name(), content(call), Kind.RESULT);
      case FAILED,
          DENIED,
          NOT_RUN,
          PENDING,
          AWAITING_APPROVAL,
          AWAITING_OUTPUT,
          RUNNING,
          IN_DOUBT ->
          new ToolResult(call.providerId(), call.name(), error(call), Kind.ERROR);
    };
  }

  private static String content(Finished call) {
    byte[] result = call.result();
    if (result == null) {
      return call.bytes() == 0 ? "" : leftOut(call);
    }
    String text = new String(result, StandardCharsets.UTF_8);
    return call.bytes() <= result.length
        ? text
        : wholeCharacters(text)
            + String.format(
                Locale.ROOT,
                "%n[Cut: these are the first %,d of %,d bytes of the result.]",
                result.length,
                call.bytes());
  }

  /** The cut may have gone through a character. */
  private static String wholeCharacters(String text) {
    return text.endsWith("\uFFFD") ? text.substring(0, text.length() - 1) : text;
  }

  private static String error(Finished call) {
    String error = call.error();
    String words = error != null ? error : call.bytes() > 0 ? leftOut(call) : "It was not run.";
    return "{\"error\":" + AsciiJson.quote(words) + "}";
  }

  private static String leftOut(Finished call) {
    return String.format(
        Locale.ROOT,
        "[Left out: this result of %,d bytes. The results of a job may be %,d bytes in all, and newer ones go first.]",
        call.bytes(),
        LoadTurns.MAX_RESULTS);
  }
}
