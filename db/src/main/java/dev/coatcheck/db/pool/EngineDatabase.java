package dev.coatcheck.db.pool;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** SQL and transactions on the pool of JobRunr and runs. */
public record EngineDatabase(JdbcClient sql, TransactionTemplate transaction) {}
