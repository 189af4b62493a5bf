package dev.coatcheck.app.api;

import dev.coatcheck.db.intake.JobPage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of jobs, newest first. */
record JobList(
    String object,
    List<JobItem> data,
    @Nullable String firstId,
    @Nullable String lastId,
    boolean hasMore) {

  static JobList of(JobPage.Found page) {
    List<JobItem> items = page.jobs().stream().map(JobItem::of).toList();
    return new JobList(
        "list",
        items,
        items.isEmpty() ? null : items.getFirst().id(),
        items.isEmpty() ? null : items.getLast().id(),
        page.hasMore());
  }
}
