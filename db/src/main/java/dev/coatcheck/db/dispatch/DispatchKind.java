package dev.coatcheck.db.dispatch;

/** What a dispatch wakes. Each kind is claimed by itself, into slots of its own. */
enum DispatchKind {
  /** A run of a job. */
  RUN,
  /** One try to deliver a webhook. */
  DELIVERY;

  /** The kind that the thread claims just now. */
  static final ScopedValue<DispatchKind> CLAIMED = ScopedValue.newInstance();

  static DispatchKind current() {
    return CLAIMED.orElse(RUN);
  }
}
