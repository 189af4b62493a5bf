package dev.coatcheck.simulator;

/** What a simulated model says about a prompt, having read it and understood nothing. */
final class DescribePrompt {
  private static final int MAX_QUOTED = 240;
  private static final int MAX_READ = 100_000;

  private DescribePrompt() {}

  static String in(ChatRequest chat) {
    var prompt = readable(Directive.strip(chat.prompt()));
    int words = words(prompt);
    if (chat.wantsJson()) {
      return "{\"simulated\":true,\"prompt\":"
          + Quote.of(excerpt(prompt))
          + ",\"words\":"
          + words
          + "}";
    }
    if (words == 0) {
      return "You sent no text. I am a simulated model and would have described it to you.";
    }
    return """
        You wrote: “%s”

        I am a simulated model: I have read your %s and thought nothing about %s. \
        A real provider's API key gets you a real answer."""
        .formatted(
            excerpt(prompt),
            words == 1 ? "one word" : words + " words",
            words == 1 ? "it" : "them");
  }

  private static String readable(String prompt) {
    var read = prompt.length() > MAX_READ ? Tokens.first(MAX_READ / 4, prompt) : prompt;
    var out = new StringBuilder(read.length());
    for (int i = 0; i < read.length(); i++) {
      char c = read.charAt(i);
      boolean isControl = Character.isISOControl(c) && c != '\n';
      out.append(isControl ? ' ' : Quote.isLone(read, i) ? '\ufffd' : c);
    }
    return out.toString().strip();
  }

  private static String excerpt(String prompt) {
    return prompt.length() <= MAX_QUOTED ? prompt : Tokens.first(MAX_QUOTED / 4, prompt) + "…";
  }

  private static int words(String prompt) {
    int words = 0;
    boolean isInside = false;
    for (int i = 0; i < prompt.length(); i++) {
      boolean isSpace = Character.isWhitespace(prompt.charAt(i));
      words += isInside || isSpace ? 0 : 1;
      isInside = !isSpace;
    }
    return words;
  }
}
