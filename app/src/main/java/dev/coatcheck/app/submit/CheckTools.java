package dev.coatcheck.app.submit;

import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.tool.Tools;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks the tools that a submit names. */
final class CheckTools {
  /** Tools of one job; providers take no more. */
  static final int MAX = 128;

  private final Tools tools;

  CheckTools(Tools tools) {
    this.tools = tools;
  }

  /** The tools that are not configured; how they are named goes to the faults. */
  Optional<Problem> unknown(RequestBody body, Faults faults) {
    Optional<Field> field = body.member("tools").map(value -> new Field("tools", value, faults));
    List<RawJson> elements =
        field.flatMap(list -> list.of(RawJson.Kind.ARRAY)).map(RawJson::elements).orElse(List.of());
    if (elements.size() > MAX) {
      faults.add("tools", "must be at most " + MAX);
      return Optional.empty();
    }
    List<Problem.FieldError> unknown = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < elements.size(); i++) {
      Field tool = field.orElseThrow().at(i, elements.get(i));
      name(tool).ifPresent(name -> check(name, tool, seen, unknown));
    }
    return unknown.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                ProblemCode.TOOL_UNKNOWN,
                unknown.subList(0, Math.min(unknown.size(), Faults.MAX))));
  }

  private void check(String name, Field tool, Set<String> seen, List<Problem.FieldError> unknown) {
    if (!seen.add(name)) {
      tool.fault("names a tool that is named before");
    } else if (tools.named(name).isEmpty()) {
      unknown.add(new Problem.FieldError(tool.path(), "is not configured on this server"));
    }
  }

  private static Optional<String> name(Field tool) {
    return switch (tool.value().kind()) {
      case STRING -> Optional.of(tool.value().text());
      case OBJECT -> nameIn(tool);
      case ARRAY, NUMBER, BOOLEAN, NULL ->
          tool.fault("must be a tool's name, or an object with its name");
    };
  }

  private static Optional<String> nameIn(Field tool) {
    for (RawJson.Member member : tool.value().members()) {
      Field option = tool.in(member);
      switch (member.name()) {
        case "name" -> option.of(RawJson.Kind.STRING);
        case "approval" -> checkApproval(option);
        default -> option.fault("is not a member of a tool");
      }
    }
    Optional<RawJson> name = tool.value().member("name");
    return name.isEmpty()
        ? tool.fault("must be a tool's name, or an object with its name")
        : name.filter(value -> value.kind() == RawJson.Kind.STRING).map(RawJson::text);
  }

  private static void checkApproval(Field approval) {
    RawJson value = approval.value();
    if (value.kind() != RawJson.Kind.STRING || !value.text().equals("required")) {
      approval.fault("must be \"required\"");
    }
  }
}
