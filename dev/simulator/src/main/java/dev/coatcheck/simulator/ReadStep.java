package dev.coatcheck.simulator;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Turns one step of a directive, {@code 429 retry-after=2 delay=1s}, into an answer. */
final class ReadStep {
  private ReadStep() {}

  static Directive.Step read(String step) {
    try {
      return understood(step);
    } catch (IllegalArgumentException misunderstood) {
      return new Directive.Step(complaint(step, misunderstood), false);
    }
  }

  private static Directive.Step understood(String step) {
    Map<String, String> options = new HashMap<>();
    var rest = takeOptions(step, options);
    int space = rest.indexOf(' ');
    var action = space < 0 ? rest : rest.substring(0, space);
    var argument = space < 0 ? "" : rest.substring(space).strip();
    Answer answer =
        switch (action) {
          case "text" -> Completion.saying(argument);
          case "tool" -> tool(argument);
          default -> {
            if (!takeOptions(argument, options).isEmpty()) {
              throw new IllegalArgumentException("there are words too many");
            }
            yield DirectedAnswer.named(action.isEmpty() ? "ok" : action);
          }
        };
    return new Directive.Step(with(options, answer), action.equals("tool"));
  }

  /** Takes the leading words of the form {@code name=value}, and returns what follows them. */
  private static String takeOptions(String words, Map<String, String> options) {
    var rest = words;
    while (true) {
      int space = rest.indexOf(' ');
      var word = space < 0 ? rest : rest.substring(0, space);
      int equals = word.indexOf('=');
      if (equals < 0) {
        return rest;
      }
      options.put(word.substring(0, equals), word.substring(equals + 1));
      rest = space < 0 ? "" : rest.substring(space).strip();
    }
  }

  private static Completion tool(String call) {
    int brace = call.indexOf('{');
    var name = brace < 0 ? call : call.substring(0, brace).strip();
    if (name.isEmpty() || name.indexOf(' ') >= 0) {
      throw new IllegalArgumentException("a tool is called like this: tool NAME {\"a\": 1}");
    }
    return Completion.calling(new ToolCall(name, brace < 0 ? "{}" : call.substring(brace)));
  }

  private static Answer with(Map<String, String> options, Answer answer) {
    var left = new HashMap<>(options);
    var retryAfter = left.remove("retry-after");
    var every = left.remove("every");
    var delay = left.remove("delay");
    var streaming = new ReadStreaming(left, answer).streaming();
    if (!left.isEmpty()) {
      throw new IllegalArgumentException("there is no option " + left.keySet());
    }
    var result = answer;
    if (retryAfter != null) {
      result = header("retry-after", retryAfter, result);
    }
    if (streaming.isPresent() && result instanceof Completion completion) {
      result = new Answer.Streamed(completion, streaming.get());
    }
    if (every != null) {
      result = paced(Span.parse(every), result);
    }
    return delay == null ? result : result.after(Span.parse(delay));
  }

  private static Answer header(String name, String value, Answer answer) {
    if (answer instanceof Reply reply) {
      return reply.with(name, value);
    }
    throw new IllegalArgumentException(name + " goes with a status");
  }

  private static Answer paced(Duration every, Answer answer) {
    if (answer instanceof Answer.Trickle trickle) {
      return new Answer.Trickle(trickle.of(), every);
    }
    if (answer instanceof Answer.Streamed(var of, var how)) {
      return new Answer.Streamed(of, how.paced(every));
    }
    if (answer instanceof Completion completion) {
      return new Answer.Streamed(completion, Streaming.PLAIN.paced(every));
    }
    throw new IllegalArgumentException("every goes with trickle or an answer that is streamed");
  }

  private static Reply complaint(String step, IllegalArgumentException why) {
    return OpenAiErrors.of(
        400,
        "invalid_request_error",
        "The simulator does not understand the step \"%s\": %s. [[sim: help]] lists its steps."
            .formatted(step, why.getMessage()));
  }
}
