package dev.coatcheck.db.call;

import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.tool.EffectKey;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The parameters that name a call, and who writes to it. */
final class CallParameters extends MapSqlParameterSource {
  CallParameters(Lease lease, EffectKey.Place call) {
    addValue("job", lease.job().value());
    addValue("tenant", lease.tenant().value());
    addValue("epoch", lease.epoch().value());
    addValue("turn", call.turn());
    addValue("ordinal", call.ordinal());
  }

  CallParameters with(String name, @Nullable Object value) {
    addValue(name, value);
    return this;
  }
}
