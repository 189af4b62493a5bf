package dev.coatcheck.db.erase;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code coatcheck.retention}.
 *
 * @param retention how long an ended job's content is kept; zero keeps it until its webhook was
 *     delivered, else an hour
 */
@ConfigurationProperties("coatcheck")
public record RetentionSettings(@DefaultValue("30d") Duration retention) {
  private static final Duration LONGEST = Duration.ofDays(3_650);

  /**
   * @throws IllegalArgumentException in one sentence that names the property
   */
  public RetentionSettings {
    if (retention.isNegative() || retention.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("coatcheck.retention must be 0 to 3650 days");
    }
  }
}
