package dev.coatcheck.db.pool;

import dev.coatcheck.db.event.Connector;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** Where the database is, from {@code spring.datasource.*}. */
public record DatabaseAddress(String url, String username, String password) implements Connector {
  /** Seconds; a database that does not answer by then is away. */
  private static final String CONNECT_TIMEOUT = "2";

  private static final String SOCKET_TIMEOUT = "30";

  /** A connection of its own, which the caller closes. */
  @Override
  public Connection open() throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", username);
    properties.setProperty("password", password);
    properties.setProperty("ApplicationName", "coatcheck");
    properties.setProperty("connectTimeout", CONNECT_TIMEOUT);
    properties.setProperty("socketTimeout", SOCKET_TIMEOUT);
    properties.setProperty("tcpKeepAlive", "true");
    return DriverManager.getConnection(url, properties);
  }

  @Override
  public String toString() {
    return "DatabaseAddress";
  }
}
