package dev.coatcheck.db.setting;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.convert.ConversionException;

/** Says a configuration fault in one sentence that names the property, without a stack trace. */
public final class SettingFaultAnalyzer implements FailureAnalyzer, Ordered {
  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    SettingFault fault = find(failure, SettingFault.class);
    if (fault != null) {
      return new FailureAnalysis(fault.getMessage(), null, failure);
    }
    BindException unbound = find(failure, BindException.class);
    if (unbound == null) {
      return null;
    }
    String sentence = sentence(unbound);
    return sentence == null ? null : new FailureAnalysis(sentence, null, failure);
  }

  /** Before Spring Boot's own, which would print the value. */
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  private static @Nullable String sentence(BindException unbound) {
    if (find(unbound, ConversionException.class) != null) {
      return "%s must be of the kind %s"
          .formatted(unbound.getName(), kind(unbound.getTarget().getType().resolve(Object.class)));
    }
    IllegalArgumentException fault = find(unbound, IllegalArgumentException.class);
    return fault == null ? null : fault.getMessage();
  }

  private static String kind(Class<?> type) {
    return type.getSimpleName().toLowerCase(Locale.ROOT);
  }

  private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return type.cast(cause);
      }
    }
    return null;
  }
}
