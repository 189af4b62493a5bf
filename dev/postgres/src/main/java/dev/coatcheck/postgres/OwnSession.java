package dev.coatcheck.postgres;

import java.util.List;

/**
 * A command in a session of its own: a terminal signals its whole foreground group, and the
 * database must outlive our own stop.
 */
final class OwnSession {
  private OwnSession() {}

  /** macOS has no setsid, but Perl. */
  static List<String> prefix() {
    return RunCommand.run(List.of("setsid", "true")).code() == 0
        ? List.of("setsid")
        : List.of("perl", "-MPOSIX=setsid", "-e", "setsid(); exec(@ARGV)");
  }
}
