package dev.coatcheck.db.tool;

/** Whether a person is to approve a call before it runs. */
public enum Approval {
  NONE,
  REQUIRED
}
