package dev.coatcheck.simulator;

import java.time.Duration;
import java.util.regex.Pattern;

/** The answers that a directive can name. */
final class DirectedAnswer {
  static final String HELP =
      """
      [[sim: STEP, STEP, ... id=NAME]] anywhere in a prompt directs the simulator. Each request \
      with that prompt, or that id, takes the next step; the last one is repeated.

      ok             answers like a model
      text WORDS     says these words
      tool NAME {}   asks for a tool, with arguments; the steps then follow the turns of the
                     conversation, so that a turn asked again gets its own step again
      length         stops for want of tokens
      filter         stops for the content filter
      500            fails with this status, or any other
      quota          fails with 429 insufficient_quota
      hang           accepts and never answers
      close          closes without an answer
      reset          resets without an answer
      reset-headers  resets after the headers
      reset-body     resets within the body
      stall          falls silent within the body
      cut            closes within the body
      cut-chunked    closes before the last chunk
      trickle        sends the body a byte at a time, every=250ms
      endless        sends a body without end
      bomb           sends 1 GiB, packed
      last           answers, then closes a connection it promised to keep
      badjson        answers 200 with half of a JSON text
      html           answers 200 with a proxy's page
      error200       answers 200 with an error in it
      empty          answers 200 without choices
      nobody         answers 200 without a body
      junk           sends what is no HTTP
      help           says this

      With any step: delay=5s. With a status or quota: retry-after=2. With ok, text, tool, length
      and filter, where the answer is asked for as a stream, before the words: every=20ms (an event
      at a time), pings=yes, usage=no, end=no (all but the end), and, after so many events, one of
      cut-after=3, reset-after=3, stall-after=3, error-after=3.""";

  private static final Pattern STATUS = Pattern.compile("[2-5]\\d\\d");
  private static final int PART_BYTES = 100;
  private static final long BOMB_BYTES = 1L << 30;
  private static final Duration TRICKLE = Duration.ofMillis(250);

  private DirectedAnswer() {}

  static Answer named(String name) {
    var model = Completion.aboutThePrompt();
    return switch (name) {
      case "ok", "200" -> model;
      case "length" -> model.finishing("length");
      case "filter" -> model.finishing("content_filter");
      case "quota" -> OpenAiErrors.insufficientQuota();
      case "hang" -> Answer.hang();
      case "close" -> Answer.hangUp();
      case "reset" -> Answer.reset();
      case "reset-headers" -> Answer.reset(model, 0);
      case "reset-body" -> Answer.reset(model, PART_BYTES);
      case "stall" -> Answer.stall(model, PART_BYTES);
      case "cut" -> Answer.cut(model, PART_BYTES);
      case "cut-chunked" -> Answer.cut(chunked(), PART_BYTES);
      case "trickle" -> new Answer.Trickle(model, TRICKLE);
      case "endless" -> new Answer.Endless(Reply.json(200, " ".repeat(8192)));
      case "bomb" -> new Answer.GzipBomb(BOMB_BYTES);
      case "last" -> Answer.closedAfter(model);
      case "junk" -> new Answer.Raw(Body.text("HTTP is not spoken here\r\n\r\n"), Parting.CLOSE);
      case "help" -> Completion.saying(HELP);
      default -> nonsense(name);
    };
  }

  private static Answer nonsense(String name) {
    return switch (name) {
      case "badjson" -> Nonsense.badJson();
      case "html" -> Nonsense.html();
      case "error200" -> Nonsense.errorInside200();
      case "empty" -> Nonsense.noChoices();
      case "nobody" -> Nonsense.emptyBody();
      default -> status(name);
    };
  }

  private static Answer status(String name) {
    if (!STATUS.matcher(name).matches()) {
      throw new IllegalArgumentException("there is no such step");
    }
    return OpenAiErrors.status(Integer.parseInt(name));
  }

  private static Reply chunked() {
    return Nonsense.noChoices().framed(Framing.CHUNKED);
  }
}
