package dev.coatcheck.db.dispatch;

/** What a run tells a person who looks at its dispatch in the dashboard. Codes and times only. */
@FunctionalInterface
public interface DispatchLog {
  void line(String text);
}
