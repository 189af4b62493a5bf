package dev.coatcheck.db.pool;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** SQL and transactions on the pool of intake and reads. */
public record WebDatabase(JdbcClient sql, TransactionTemplate transaction) {}
