package dev.coatcheck.simulator;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** The scripts in force. The newest that is for a request, and still has an answer, answers it. */
final class Rules {
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final List<EarlyRule> earlyRules = new CopyOnWriteArrayList<>();

  private interface Rule {
    Optional<Answer> answer(ReceivedRequest request);
  }

  private record EarlyRule(Predicate<RequestHead> match, Answer answer) {}

  void queue(Match match, List<Answer> answers) {
    var counts = new CountPerKey();
    rules.addFirst(
        request ->
            match
                .keyOf(request)
                .map(counts::next)
                .filter(nth -> nth <= answers.size())
                .map(nth -> answers.get(nth - 1)));
  }

  void script(Match match, Script script) {
    var counts = new CountPerKey();
    rules.addFirst(
        request -> match.keyOf(request).map(key -> script.answer(request, counts.next(key))));
  }

  void early(Predicate<RequestHead> match, Answer answer) {
    earlyRules.addFirst(new EarlyRule(match, answer));
  }

  void clear() {
    rules.clear();
    earlyRules.clear();
  }

  Optional<Answer> answer(ReceivedRequest request) {
    for (var rule : rules) {
      var answer = rule.answer(request);
      if (answer.isPresent()) {
        return answer;
      }
    }
    return Optional.empty();
  }

  /** The answer to give before the body was read. */
  Optional<Answer> early(RequestHead head) {
    for (var rule : earlyRules) {
      if (rule.match().test(head)) {
        return Optional.of(rule.answer());
      }
    }
    return Optional.empty();
  }
}
