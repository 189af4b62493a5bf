package dev.coatcheck.db.tool;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.setting.SettingFault;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one tool of the tools file. */
final class ReadTool {
  static final Duration TIMEOUT = Duration.ofSeconds(30);
  static final Duration SHORTEST = Duration.ofMillis(100);

  private static final Set<String> MEMBERS =
      Set.of(
          "name",
          "description",
          "safety",
          "approval",
          "timeout",
          "parameters",
          "url",
          "headers",
          "sql");
  private static final Set<String> OUR_HEADERS =
      Set.of(
          "host",
          "content-length",
          "content-type",
          "content-encoding",
          "transfer-encoding",
          "connection",
          "accept",
          "accept-encoding",
          "upgrade",
          "expect",
          "idempotency-key");

  /** What the providers accept as a function's name. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");
  private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
  private static final Pattern HEADER_VALUE =
      Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?|");
  private static final RawJson ANY_OBJECT =
      RawJson.of("{\"type\":\"object\"}".getBytes(StandardCharsets.UTF_8));

  private final RawJson entry;
  private final Function<String, Optional<String>> environment;
  private String who;

  /**
   * @param index in the list, from 0: names it until its name is known
   */
  ReadTool(RawJson entry, int index, Function<String, Optional<String>> environment) {
    this.entry = entry;
    this.environment = environment;
    this.who = "tools[" + index + "]";
  }

  ToolDefinition read() {
    if (entry.kind() != RawJson.Kind.OBJECT) {
      throw fault("must be an object");
    }
    String name = text("name").orElseThrow(() -> fault("has no name"));
    if (!NAME.matcher(name).matches()) {
      throw fault("must have a name of 1 to 64 letters, digits, hyphens and underscores");
    }
    who = "tool \"" + name + "\"";
    for (RawJson.Member member : entry.members()) {
      if (!MEMBERS.contains(member.name())) {
        throw fault("has an unknown member \"" + member.name() + "\"");
      }
    }
    ToolSafety safety = safety();
    return new ToolDefinition(
        name,
        text("description").orElse(""),
        parameters(),
        safety,
        approval(),
        timeout(),
        work(safety));
  }

  private ToolSafety safety() {
    String words = "must have a safety: read-only, transactional, keyed, at-most-once or client";
    return text("safety").flatMap(ToolSafety::of).orElseThrow(() -> fault(words));
  }

  private ArgumentSchema parameters() {
    try {
      return ArgumentSchema.of(entry.member("parameters").orElse(ANY_OBJECT));
    } catch (IllegalArgumentException e) {
      throw fault("its parameters: " + e.getMessage());
    }
  }

  private Approval approval() {
    return switch (text("approval").orElse("none")) {
      case "none" -> Approval.NONE;
      case "required" -> Approval.REQUIRED;
      default -> throw fault("its approval must be none or required");
    };
  }

  private Duration timeout() {
    Optional<String> text = text("timeout");
    if (text.isEmpty()) {
      return TIMEOUT;
    }
    String words = "its timeout must be an ISO-8601 duration of PT0.1S to PT1H";
    try {
      Duration timeout = Duration.parse(text.get());
      if (timeout.compareTo(SHORTEST) >= 0 && timeout.compareTo(ToolDefinition.LONGEST) <= 0) {
        return timeout;
      }
      throw fault(words);
    } catch (DateTimeParseException e) {
      throw fault(words);
    }
  }

  private ToolWork work(ToolSafety safety) {
    return switch (safety) {
      case TRANSACTIONAL -> {
        refuse(safety, "url", "headers");
        yield new ToolWork.Sql(
            text("sql").filter(sql -> !sql.isBlank()).orElseThrow(() -> fault("has no sql")));
      }
      case CLIENT -> {
        refuse(safety, "url", "headers", "sql");
        yield new ToolWork.Caller();
      }
      case READ_ONLY, KEYED, AT_MOST_ONCE -> {
        refuse(safety, "sql");
        yield new ToolWork.Http(url(), headers());
      }
    };
  }

  private void refuse(ToolSafety safety, String... members) {
    for (String member : members) {
      if (entry.member(member).isPresent()) {
        String fit = member.equals("sql") ? "sql needs the safety transactional" : "";
        throw fault(
            fit.isEmpty()
                ? "may have no " + member + " with the safety " + safety.text()
                : fit + ", and it has " + safety.text());
      }
    }
  }

  private URI url() {
    String url = text("url").orElseThrow(() -> fault("has no url"));
    try {
      URI uri = new URI(resolved(url, "url"));
      boolean fits =
          ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
              && uri.getHost() != null
              && uri.getRawUserInfo() == null
              && uri.getRawFragment() == null;
      if (fits) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // The message would quote it, and it may hold a credential.
    }
    throw fault("its url must be an http or https URL without user and fragment");
  }

  private Map<String, HeaderValue> headers() {
    var headers = new LinkedHashMap<String, HeaderValue>();
    Optional<RawJson> members = entry.member("headers");
    if (members.isEmpty()) {
      return headers;
    }
    if (members.get().kind() != RawJson.Kind.OBJECT) {
      throw fault("its headers must be an object of strings");
    }
    members.get().members().forEach(member -> addHeader(headers, member));
    return headers;
  }

  private void addHeader(Map<String, HeaderValue> headers, RawJson.Member member) {
    String name = member.name();
    if (member.value().kind() != RawJson.Kind.STRING) {
      throw fault("its header " + name + " must be a string");
    }
    String value = resolved(member.value().text(), "header " + name);
    if (!HEADER_NAME.matcher(name).matches() || !HEADER_VALUE.matcher(value).matches()) {
      throw fault("its header " + name + " must be a header's name and visible ASCII");
    }
    if (OUR_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
      throw fault("may not set the header " + name + ", which Coatcheck sets");
    }
    headers.put(name, new HeaderValue(value));
  }

  private String resolved(String text, String where) {
    Matcher variable = VARIABLE.matcher(text);
    String resolved =
        variable.replaceAll(
            found ->
                Matcher.quoteReplacement(
                    environment
                        .apply(found.group(1))
                        .orElseThrow(
                            () ->
                                fault(
                                    "its %s needs %s, which the environment does not have"
                                        .formatted(where, found.group(1))))));
    if (VARIABLE.matcher(text).replaceAll("").contains("${")) {
      throw fault("its " + where + " has a ${ that names no variable");
    }
    return resolved;
  }

  private Optional<String> text(String member) {
    return entry
        .member(member)
        .filter(value -> value.kind() != RawJson.Kind.NULL)
        .map(
            value -> {
              if (value.kind() != RawJson.Kind.STRING) {
                throw fault("its " + member + " must be a string");
              }
              return value.text();
            });
  }

  private SettingFault fault(String words) {
    return ReadTools.fault(who + " " + words);
  }
}
