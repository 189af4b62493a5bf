package dev.coatcheck.simulator;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a prompt tells the simulator to do: {@code [[sim: 500, 429 retry-after=2, ok]]}. The steps
 * are taken one a request, the last one again and again.
 *
 * @param id what the requests are counted under, where it is not the prompt itself
 */
record Directive(List<Step> steps, @Nullable String id) {
  private static final Pattern FORM = Pattern.compile("\\[\\[sim:(.*?)]](?!])", Pattern.DOTALL);
  private static final Pattern ID = Pattern.compile("(?:^|\\s)id=(\\S+)\\s*$");
  private static final int MAX_STEPS = 100;

  /**
   * One answer.
   *
   * @param callsTool whether it belongs to a turn of a conversation with tools
   */
  record Step(Answer answer, boolean callsTool) {}

  static Optional<Directive> in(String prompt) {
    if (!prompt.contains("[[sim:")) {
      return Optional.empty();
    }
    var match = FORM.matcher(prompt);
    return match.find() ? Optional.of(read(match.group(1).strip())) : Optional.empty();
  }

  static String strip(String prompt) {
    return prompt.contains("[[sim:") ? FORM.matcher(prompt).replaceAll("").strip() : prompt;
  }

  /**
   * Whether the step is chosen by the turns the conversation has, so that a turn that is asked
   * again gets its own step again, and not by how often it was asked.
   */
  boolean followsTurns() {
    return steps.stream().anyMatch(Step::callsTool);
  }

  /** What the requests are counted under. */
  String countedUnder(ChatRequest chat) {
    return id == null ? chat.prompt() : id;
  }

  Answer step(int index) {
    return steps.get(Math.min(index, steps.size() - 1)).answer();
  }

  private static Directive read(String text) {
    var id = ID.matcher(text);
    boolean hasId = id.find();
    var steps = SplitSteps.of(hasId ? text.substring(0, id.start()) : text);
    if (steps.size() > MAX_STEPS) {
      steps = steps.subList(0, MAX_STEPS);
    }
    return new Directive(steps.stream().map(ReadStep::read).toList(), hasId ? id.group(1) : null);
  }
}
