package dev.coatcheck.db.call;

import dev.coatcheck.db.json.RawJson;
import java.time.Duration;

/**
 * SQL to run as a tool.
 *
 * @param arguments an object, checked against the tool's schema
 * @param timeout of the statement
 */
public record SqlTool(String sql, RawJson arguments, Duration timeout) {}
