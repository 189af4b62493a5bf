package dev.coatcheck.db.call;

import dev.coatcheck.db.json.AsciiJson;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes what a statement returned as JSON: rows as a list of objects. */
final class SqlRows {
  private static final Set<String> AS_IT_IS = Set.of("json", "jsonb", "int2", "int4", "int8");
  private static final Set<String> NUMBERS = Set.of("numeric", "float4", "float8");

  private final StringBuilder json = new StringBuilder("[");

  private SqlRows() {}

  /**
   * @param until the latest that they may come, as {@link System#nanoTime}
   * @throws IllegalArgumentException if they are more than is kept, or take longer
   */
  static CallResult read(ResultSet rows, long until) throws SQLException {
    var written = new SqlRows();
    while (rows.next()) {
      if (System.nanoTime() - until > 0) {
        throw new IllegalArgumentException("the rows take longer than the tool's timeout");
      }
      written.row(rows);
    }
    written.json.append(']');
    return CallResult.of(written.json.toString().getBytes(StandardCharsets.UTF_8));
  }

  static CallResult count(long rows) {
    return CallResult.of(Long.toString(rows).getBytes(StandardCharsets.US_ASCII));
  }

  private void row(ResultSet row) throws SQLException {
    ResultSetMetaData columns = row.getMetaData();
    json.append(json.length() > 1 ? ",{" : "{");
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      json.append(i > 1 ? "," : "").append(AsciiJson.quote(columns.getColumnLabel(i))).append(':');
      json.append(value(columns.getColumnTypeName(i), row.getString(i)));
      if (json.length() > CallResult.MAX_BYTES) {
        throw new IllegalArgumentException("the rows are more than 8 MiB");
      }
    }
    json.append('}');
  }

  private static String value(String type, @Nullable String text) {
    if (text == null) {
      return "null";
    }
    if (type.equals("bool")) {
      return text.equals("t") ? "true" : "false";
    }
    boolean isNumber = NUMBERS.contains(type) && Character.isDigit(text.charAt(text.length() - 1));
    return AS_IT_IS.contains(type) || isNumber ? text : AsciiJson.quote(text);
  }
}
