package dev.coatcheck.db.call;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.tool.EffectKey;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.Map;
import org.postgresql.util.PGobject;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.namedparam.AbstractSqlParameterSource;

/** What {@code :name} stands for in a tool's SQL: a model's arguments, and three names of ours. */
final class SqlParameters extends AbstractSqlParameterSource {
  /** Digits before or after the point that PostgreSQL's numeric is good for. */
  private static final int MAX_SCALE = 16_000;

  private static final SqlParameterValue NULL = new SqlParameterValue(Types.NULL, null);

  private final Map<String, SqlParameterValue> values = new HashMap<>();

  /**
   * @throws IllegalArgumentException for a number that no column holds
   */
  SqlParameters(Lease lease, EffectKey effectKey, RawJson arguments) {
    arguments.members().forEach(member -> values.put(member.name(), value(member.value())));
    // Last, so that no argument stands in for them. Untyped: they fit text and uuid columns.
    values.put("effect_key", untyped(effectKey.value()));
    values.put("job_id", untyped(lease.job().toString()));
    values.put("tenant", untyped(lease.tenant().value()));
  }

  /** What the model left out is null. */
  @Override
  public boolean hasValue(String name) {
    return true;
  }

  @Override
  public Object getValue(String name) {
    return values.getOrDefault(name, NULL);
  }

  private static SqlParameterValue value(RawJson value) {
    return switch (value.kind()) {
      case STRING -> typed("text", value.text());
      case NUMBER -> number(value.spelling());
      case BOOLEAN -> new SqlParameterValue(Types.BOOLEAN, value.spelling().equals("true"));
      case NULL -> NULL;
      case OBJECT, ARRAY -> typed("jsonb", value.spelling());
    };
  }

  private static SqlParameterValue number(String spelling) {
    BigDecimal number = new BigDecimal(spelling);
    if (Math.abs((long) number.scale()) > MAX_SCALE) {
      throw new IllegalArgumentException("a number is out of range");
    }
    boolean isInteger = spelling.chars().allMatch(c -> c == '-' || Character.isDigit(c));
    return isInteger && number.toBigInteger().bitLength() < Long.SIZE
        ? new SqlParameterValue(Types.BIGINT, number.longValueExact())
        : new SqlParameterValue(Types.NUMERIC, number);
  }

  private static SqlParameterValue typed(String type, String text) {
    var object = new PGobject();
    object.setType(type);
    try {
      object.setValue(text);
    } catch (SQLException e) {
      throw new IllegalStateException("a plain object takes any text", e);
    }
    return new SqlParameterValue(Types.OTHER, object);
  }

  private static SqlParameterValue untyped(String text) {
    return new SqlParameterValue(Types.OTHER, text);
  }
}
