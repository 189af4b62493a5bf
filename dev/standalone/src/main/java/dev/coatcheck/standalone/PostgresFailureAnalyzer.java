package dev.coatcheck.standalone;

import dev.coatcheck.postgres.PostgresFailedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says why the embedded database did not start, without a stack trace. */
public final class PostgresFailureAnalyzer
    extends AbstractFailureAnalyzer<PostgresFailedException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, PostgresFailedException cause) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause);
  }
}
