package dev.coatcheck.simulator;

import java.util.Optional;

/** Decides how to answer: a script first, then what the prompt directs, then like a model. */
final class ChooseAnswer {
  private final Rules rules;
  private final Latency latency;
  private final CountPerKey directed = new CountPerKey();

  ChooseAnswer(Rules rules, Latency latency) {
    this.rules = rules;
    this.latency = latency;
  }

  Optional<Answer> early(RequestHead head) {
    return rules.early(head);
  }

  Answer answer(ReceivedRequest request) {
    try {
      return rules.answer(request).orElseGet(() -> unscripted(request));
    } catch (RuntimeException broken) {
      return OpenAiErrors.of(500, "simulator_error", "the script failed: " + broken);
    }
  }

  void forget() {
    directed.clear();
  }

  private Answer unscripted(ReceivedRequest request) {
    if (!request.head().asksForCompletion()) {
      return elsewhere(request);
    }
    var chat = request.payload().chat();
    if (chat.isEmpty()) {
      return OpenAiErrors.unreadableBody();
    }
    var answer = directed(chat.get());
    boolean isPaced = latency.equals(Latency.NONE) || answer instanceof Answer.Delayed;
    return isPaced ? answer : answer.after(latency.of(request.number()));
  }

  private Answer directed(ChatRequest chat) {
    var directive = Directive.in(chat.prompt());
    if (directive.isPresent()) {
      var steps = directive.get();
      return steps.followsTurns()
          ? steps.step(chat.assistantTurns())
          : steps.step(directed.next(steps.countedUnder(chat)) - 1);
    }
    return Completion.aboutThePrompt();
  }

  private static Answer elsewhere(ReceivedRequest request) {
    if (request.method().equals("GET") && request.path().endsWith("/models")) {
      return Reply.json(
          200,
          """
          {"object":"list","data":[{"id":"simulated","object":"model","created":1764547200,\
          "owned_by":"coatcheck"}]}""");
    }
    return OpenAiErrors.unknownPath(request.head());
  }
}
