package dev.coatcheck.db.pool;

import dev.coatcheck.db.probe.Probe;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * SQL and transactions on the pool of intake and reads.
 *
 * @param probe is told of writes on it
 */
public record WebDatabase(JdbcClient sql, TransactionTemplate transaction, Probe probe) {}
