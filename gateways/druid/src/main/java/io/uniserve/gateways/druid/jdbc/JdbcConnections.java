package io.uniserve.gateways.druid.jdbc;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.query.Queries;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.avatica.NoSuchConnectionException;
import org.apache.druid.query.QueryContext;

/**
 * The open connections of a process. One that is not used for {@link #IDLE_MAX} is forgotten when
 * the next one is opened; its driver opens it again.
 */
final class JdbcConnections {
  private static final int CONNECTIONS_MAX = 1_000;
  private static final int ID_LENGTH_MAX = 200;
  private static final Duration IDLE_MAX = Duration.ofMinutes(5);

  /** Properties that are no context of queries: who the caller is, the gateway knows already. */
  private static final Set<String> NO_CONTEXT = Set.of("user", "password");

  private final Map<String, JdbcConnection> open = new HashMap<>();

  synchronized void open(String id, Map<String, String> info) {
    long now = System.nanoTime();
    open.values().removeIf(each -> now - each.usedNanos() > IDLE_MAX.toNanos());
    if (id.length() > ID_LENGTH_MAX) {
      throw UniserveException.invalid(
          "the number of a connection has more than " + ID_LENGTH_MAX + " characters");
    }
    if (open.size() >= CONNECTIONS_MAX) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          "there are " + CONNECTIONS_MAX + " connections, which is the most; close some");
    }
    Map<String, Object> context = new HashMap<>(info == null ? Map.of() : info);
    NO_CONTEXT.forEach(context::remove);
    Queries.check(QueryContext.of(context));
    if (open.putIfAbsent(id, new JdbcConnection(id, context)) != null) {
      throw UniserveException.invalid("connection '" + id + "' is open already");
    }
  }

  /**
   * Returns a connection.
   *
   * @throws NoSuchConnectionException if it is not open
   */
  synchronized JdbcConnection get(String id) {
    JdbcConnection connection = open.get(id);
    if (connection == null) {
      throw new NoSuchConnectionException(id);
    }
    connection.use();
    return connection;
  }

  synchronized void close(String id) {
    open.remove(id);
  }
}
