package dev.coatcheck.db.event;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens a connection of its own, outside the pools: for what listens or notifies. */
@FunctionalInterface
public interface Connector {
  Connection open() throws SQLException;
}
