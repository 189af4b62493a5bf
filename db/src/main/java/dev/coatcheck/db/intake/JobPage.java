package dev.coatcheck.db.intake;

import java.util.List;

/** What a list answers. */
public sealed interface JobPage {
  /** Newest first, without attempts and output; whether older ones follow. */
  record Found(List<JobView> jobs, boolean hasMore) implements JobPage {}

  /** There is no such job to go on after. */
  record UnknownCursor() implements JobPage {}
}
