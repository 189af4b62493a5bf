package dev.coatcheck.db.intake;

import dev.coatcheck.db.json.AsciiJson;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.json.StrictJson;
import dev.coatcheck.db.tool.CallState;
import dev.coatcheck.db.tool.ToolCallId;
import dev.coatcheck.db.tool.ToolSafety;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tool call as it stands.
 *
 * @param arguments JSON as the model wrote it, or its text as a JSON string
 */
public record ToolCallView(
    ToolCallId id,
    int turn,
    String name,
    RawJson arguments,
    Optional<ToolSafety> safety,
    CallState state,
    String effectKey,
    End end) {

  /**
   * What came of it.
   *
   * @param result JSON as the tool sent it, or its text as a JSON string
   * @param error what the model is told instead, or why nobody knows
   */
  public record End(
      Optional<RawJson> result,
      Optional<String> error,
      Optional<Instant> started,
      Optional<Instant> ended) {}

  static ToolCallView read(ResultSet row, int number) throws SQLException {
    byte[] result = row.getBytes("result");
    return new ToolCallView(
        new ToolCallId(row.getObject("id", UUID.class)),
        row.getInt("turn"),
        row.getString("name"),
        arguments(row.getBytes("arguments")),
        Optional.ofNullable(row.getString("safety")).flatMap(ToolSafety::of),
        CallState.of(row.getString("state")),
        row.getString("effect_key"),
        new End(
            Optional.ofNullable(result(result, row.getString("result_kind"))),
            Optional.ofNullable(row.getString("error")),
            Row.instant(row, "started_at"),
            Row.instant(row, "ended_at")));
  }

  private static RawJson arguments(byte[] arguments) {
    return StrictJson.faultOf(arguments).isEmpty() ? RawJson.of(arguments) : quoted(arguments);
  }

  private static @Nullable RawJson result(byte @Nullable [] result, @Nullable String kind) {
    if (result == null) {
      return null;
    }
    return "json".equals(kind) ? RawJson.of(result) : quoted(result);
  }

  private static RawJson quoted(byte[] text) {
    String json = AsciiJson.quote(new String(text, StandardCharsets.UTF_8));
    return RawJson.of(json.getBytes(StandardCharsets.US_ASCII));
  }
}
