package dev.coatcheck.worker.tool;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.step.NewToolCall;
import dev.coatcheck.db.tool.Approval;
import dev.coatcheck.db.tool.CallState;
import dev.coatcheck.db.tool.EffectKey;
import dev.coatcheck.db.tool.ToolDefinition;
import dev.coatcheck.db.tool.ToolSafety;
import dev.coatcheck.db.tool.Tools;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.provider.OfferedTool;
import dev.coatcheck.worker.provider.ToolCall;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tools that one job declares, as far as this worker has them. */
public final class JobTools {
  private final Map<String, Declared> declared = new LinkedHashMap<>();

  /** A tool, and whether the job itself wants its calls approved. */
  private record Declared(Optional<ToolDefinition> tool, Approval approval) {}

  public JobTools(RequestBody request, Tools tools) {
    request.member("tools").ifPresent(list -> list.elements().forEach(one -> declare(one, tools)));
  }

  private void declare(RawJson entry, Tools tools) {
    boolean isName = entry.kind() == RawJson.Kind.STRING;
    String name = isName ? entry.text() : entry.member("name").map(RawJson::text).orElse("");
    boolean isApproved = !isName && entry.member("approval").isPresent();
    declared.put(
        name, new Declared(tools.named(name), isApproved ? Approval.REQUIRED : Approval.NONE));
  }

  /** What the model is offered: what this worker lacks is left out. */
  public List<OfferedTool> offers() {
    return declared.values().stream()
        .flatMap(one -> one.tool().stream())
        .map(
            tool ->
                new OfferedTool(
                    tool.name(), tool.description(), Body.of(tool.parameters().bytes())))
        .toList();
  }

  /** How each call of a turn begins. A faulty one never reaches a tool: the model is told. */
  public List<NewToolCall> plan(JobId job, int turn, List<ToolCall> calls) {
    List<NewToolCall> planned = new ArrayList<>();
    for (ToolCall call : calls) {
      planned.add(plan(new EffectKey.Place(job, turn, planned.size() + 1), call));
    }
    return planned;
  }

  /** The same calls, none of which is to run: the job ends with this turn. */
  public List<NewToolCall> skip(JobId job, int turn, List<ToolCall> calls) {
    return plan(job, turn, calls).stream()
        .map(
            call ->
                new NewToolCall(
                    call.place(),
                    call.providerId(),
                    call.name(),
                    call.arguments(),
                    call.safety(),
                    CallState.NOT_RUN,
                    null))
        .toList();
  }

  private NewToolCall plan(EffectKey.Place place, ToolCall call) {
    String text = call.arguments().isBlank() ? "{}" : call.arguments();
    byte[] arguments = text.getBytes(StandardCharsets.UTF_8);
    Optional<ToolDefinition> tool =
        Optional.ofNullable(declared.get(call.name())).flatMap(Declared::tool);
    Optional<String> fault =
        place.ordinal() > Limits.CALLS_PER_TURN
            ? Optional.of(
                "At most " + Limits.CALLS_PER_TURN + " calls of one turn are run; this is one more")
            : fault(call.name(), tool, arguments);
    return new NewToolCall(
        place,
        call.id().isEmpty() ? "call_" + place.turn() + "_" + place.ordinal() : call.id(),
        call.name(),
        arguments,
        tool.map(ToolDefinition::safety).orElse(null),
        fault.isPresent() ? CallState.FAILED : start(call.name(), tool.orElseThrow()),
        fault.map(JobTools::cut).orElse(null));
  }

  private Optional<String> fault(String name, Optional<ToolDefinition> tool, byte[] arguments) {
    if (tool.isEmpty()) {
      return Optional.of(
          "tool_unknown: there is no tool \"%s\". The tools are: %s"
              .formatted(
                  name, String.join(", ", offers().stream().map(OfferedTool::name).toList())));
    }
    if (arguments.length > Limits.ARGUMENTS) {
      return Optional.of("The arguments are larger than 1 MiB");
    }
    return tool.get().parameters().faultOf(arguments);
  }

  private CallState start(String name, ToolDefinition tool) {
    Declared wish = declared.get(name);
    boolean isApproved =
        tool.approval() == Approval.REQUIRED
            || (wish != null && wish.approval() == Approval.REQUIRED);
    if (isApproved) {
      return CallState.AWAITING_APPROVAL;
    }
    return tool.safety() == ToolSafety.CLIENT ? CallState.AWAITING_OUTPUT : CallState.PENDING;
  }

  private static String cut(String words) {
    return words.length() <= Limits.MESSAGE ? words : words.substring(0, Limits.MESSAGE);
  }
}
