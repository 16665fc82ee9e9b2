package io.uniserve.gateways.druid.jdbc;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.gateways.druid.sql.DruidSql;
import io.uniserve.runtime.client.UniserveClient;
import java.util.HashMap;
import java.util.Map;

/** A connection: the context of its queries, and its open statements. */
final class JdbcConnection {
  private static final int STATEMENTS_MAX = 100;

  private final String id;
  private final Map<String, Object> context;
  private final Map<Integer, JdbcStatement> statements = new HashMap<>();
  private int next;
  private volatile long usedNanos = System.nanoTime();

  JdbcConnection(String id, Map<String, Object> context) {
    this.id = id;
    this.context = Map.copyOf(context);
  }

  void use() {
    usedNanos = System.nanoTime();
  }

  long usedNanos() {
    return usedNanos;
  }

  synchronized JdbcStatement create(UniserveClient client, DruidSql sql) {
    if (statements.size() >= STATEMENTS_MAX) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          "the connection has " + STATEMENTS_MAX + " statements, which is the most; close some");
    }
    JdbcStatement statement = new JdbcStatement(id, next++, context, client, sql);
    statements.put(statement.handle().id, statement);
    return statement;
  }

  /** Returns a statement, or null if there is none. */
  synchronized JdbcStatement statement(int number) {
    return statements.get(number);
  }

  synchronized void close(int number) {
    statements.remove(number);
  }
}
