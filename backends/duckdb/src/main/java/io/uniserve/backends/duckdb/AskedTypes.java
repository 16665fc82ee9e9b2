package io.uniserve.backends.duckdb;

import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.functions.FunctionTypes;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.locks.ReentrantLock;
import org.duckdb.DuckDBConnection;

/**
 * The types of expressions, which DuckDB finds by planning a query without running it. The latest
 * answers are kept.
 */
public final class AskedTypes implements FunctionTypes {
  /** The only instance of a process. */
  public static final FunctionTypes INSTANCE = new AskedTypes();

  private static final int ANSWERS_MAX = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, String> answers =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > ANSWERS_MAX;
        }
      };

  private AskedTypes() {}

  @Override
  public String typeOf(String expression, List<String> columns) {
    String query = query(expression, columns);
    String known = find(query);
    if (known != null) {
      return known;
    }
    String type = ask(query);
    keep(query, type);
    return type;
  }

  private static String query(String expression, List<String> columns) {
    StringJoiner from = new StringJoiner(", ", " FROM (SELECT ", ")");
    for (int i = 0; i < columns.size(); i++) {
      from.add("CAST(NULL AS " + columns.get(i) + ") AS a" + i);
    }
    return "SELECT " + expression + (columns.isEmpty() ? "" : from);
  }

  private static String ask(String query) {
    try (DuckDBConnection connection = ClientDatabase.connect();
        PreparedStatement statement = connection.prepareStatement(query)) {
      return statement.getMetaData().getColumnTypeName(1);
    } catch (SQLException e) {
      DuckFailure failure = ClientDatabase.failure(e);
      throw new UniserveException(failure.code(), failure.message(), e);
    }
  }

  private String find(String query) {
    lock.lock();
    try {
      return answers.get(query);
    } finally {
      lock.unlock();
    }
  }

  private void keep(String query, String type) {
    lock.lock();
    try {
      answers.put(query, type);
    } finally {
      lock.unlock();
    }
  }
}
