package dev.coatcheck.db.pool;

import java.sql.SQLException;
import java.util.Set;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Says whose fault a failure is. Spring's classes do not tell: a lock that was waited for too long,
 * or a server that became read-only, is of none of them.
 */
public final class JudgeFailure {
  /** Classes of SQLSTATE that say the statement was wrong, not the database away. */
  private static final Set<String> OUR_FAULT = Set.of("0A", "21", "22", "23", "42");

  private static final int CLASS_LENGTH = 2;

  private JudgeFailure() {}

  /** Whether the database is away, or does not do it for now: later it may. */
  public static boolean isAway(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return !isOurFault(sql.getSQLState() == null ? "" : sql.getSQLState());
      }
    }
    return failure instanceof TransientDataAccessException
        || failure instanceof RecoverableDataAccessException
        || failure instanceof NonTransientDataAccessResourceException
        || failure instanceof TransactionException;
  }

  private static boolean isOurFault(String state) {
    return state.length() >= CLASS_LENGTH && OUR_FAULT.contains(state.substring(0, CLASS_LENGTH));
  }
}
