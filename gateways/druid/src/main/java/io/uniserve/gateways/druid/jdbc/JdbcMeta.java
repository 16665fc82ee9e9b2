package io.uniserve.gateways.druid.jdbc;

import io.uniserve.gateways.druid.sql.DruidSql;
import io.uniserve.runtime.client.UniserveClient;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.ConnectionPropertiesImpl;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.avatica.MissingResultsException;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.remote.TypedValue;

/**
 * The server's side of Avatica. Statements run as the caller of their own request; a connection
 * keeps their rows until they are fetched. All is read-only, and nothing has a transaction.
 */
final class JdbcMeta extends MetaImpl {
  /** The rows of a frame, if a driver does not ask for fewer. */
  private static final int FRAME_ROWS_MAX = 5_000;

  private final UniserveClient client;
  private final DruidSql sql;
  private final JdbcConnections connections = new JdbcConnections();

  JdbcMeta(UniserveClient client, DruidSql sql) {
    super(null);
    this.client = client;
    this.sql = sql;
  }

  @Override
  public void openConnection(ConnectionHandle handle, Map<String, String> info) {
    JdbcFailure.tell(() -> connections.open(handle.id, info));
  }

  @Override
  public void closeConnection(ConnectionHandle handle) {
    connections.close(handle.id);
  }

  @Override
  public ConnectionProperties connectionSync(ConnectionHandle handle, ConnectionProperties wanted) {
    connections.get(handle.id);
    return new ConnectionPropertiesImpl(true, true, Connection.TRANSACTION_NONE, null, null)
        .merge(wanted);
  }

  @Override
  public Map<DatabaseProperty, Object> getDatabaseProperties(ConnectionHandle handle) {
    connections.get(handle.id);
    return Map.of();
  }

  @Override
  public StatementHandle createStatement(ConnectionHandle handle) {
    return JdbcFailure.tell(() -> connections.get(handle.id).create(client, sql).handle());
  }

  @Override
  public void closeStatement(StatementHandle handle) {
    connections.get(handle.connectionId).close(handle.id);
  }

  @Override
  public StatementHandle prepare(ConnectionHandle handle, String text, long maxRowCount) {
    return JdbcFailure.tell(
        () -> {
          JdbcStatement statement = connections.get(handle.id).create(client, sql);
          try {
            statement.prepare(text, maxRowCount);
          } catch (RuntimeException e) {
            connections.get(handle.id).close(statement.handle().id);
            throw e;
          }
          return statement.handle();
        });
  }

  private JdbcStatement statement(StatementHandle handle) throws NoSuchStatementException {
    JdbcStatement statement = connections.get(handle.connectionId).statement(handle.id);
    if (statement == null) {
      throw new NoSuchStatementException(handle);
    }
    return statement;
  }

  @Override
  @Deprecated
  public ExecuteResult prepareAndExecute(
      StatementHandle handle, String text, long maxRowCount, PrepareCallback callback)
      throws NoSuchStatementException {
    return prepareAndExecute(handle, text, maxRowCount, FRAME_ROWS_MAX, callback);
  }

  @Override
  public ExecuteResult prepareAndExecute(
      StatementHandle handle,
      String text,
      long maxRowCount,
      int maxRowsInFirstFrame,
      PrepareCallback callback)
      throws NoSuchStatementException {
    JdbcStatement statement = statement(handle);
    return JdbcFailure.tell(
        () -> {
          statement.prepare(text, maxRowCount);
          return executed(statement, List.of(), maxRowsInFirstFrame, false);
        });
  }

  private static ExecuteResult executed(
      JdbcStatement statement, List<TypedValue> parameters, int frameRows, boolean own) {
    statement.execute(parameters);
    return new ExecuteResult(
        List.of(
            MetaResultSet.create(
                statement.handle().connectionId,
                statement.handle().id,
                own,
                statement.handle().signature,
                statement.frame(0, rows(frameRows)))));
  }

  private static int rows(int asked) {
    return asked <= 0 ? FRAME_ROWS_MAX : Math.min(asked, FRAME_ROWS_MAX);
  }

  @Override
  @Deprecated
  public ExecuteResult execute(
      StatementHandle handle, List<TypedValue> parameters, long maxRowCount)
      throws NoSuchStatementException {
    return execute(handle, parameters, FRAME_ROWS_MAX);
  }

  @Override
  public ExecuteResult execute(
      StatementHandle handle, List<TypedValue> parameters, int maxRowsInFirstFrame)
      throws NoSuchStatementException {
    JdbcStatement statement = statement(handle);
    return JdbcFailure.tell(() -> executed(statement, parameters, maxRowsInFirstFrame, false));
  }

  @Override
  public ExecuteBatchResult prepareAndExecuteBatch(StatementHandle handle, List<String> texts) {
    throw JdbcFailure.unsupported("a batch of statements");
  }

  @Override
  public ExecuteBatchResult executeBatch(
      StatementHandle handle, List<List<TypedValue>> parameters) {
    throw JdbcFailure.unsupported("a batch of statements");
  }

  @Override
  public Frame fetch(StatementHandle handle, long offset, int frameRows)
      throws NoSuchStatementException, MissingResultsException {
    JdbcStatement statement = statement(handle);
    if (!statement.hasRows(offset)) {
      throw new MissingResultsException(handle);
    }
    return JdbcFailure.tell(() -> statement.frame(offset, rows(frameRows)));
  }

  @Override
  public boolean syncResults(StatementHandle handle, QueryState state, long offset) {
    throw JdbcFailure.unsupported("to run a statement again and go on within its results");
  }

  @Override
  public void commit(ConnectionHandle handle) {
    connections.get(handle.id); // nothing to commit: all is read-only
  }

  @Override
  public void rollback(ConnectionHandle handle) {
    connections.get(handle.id); // nothing to take back: all is read-only
  }

  private MetaResultSet asked(ConnectionHandle handle, String text) {
    return JdbcFailure.tell(
        () -> {
          JdbcStatement statement = connections.get(handle.id).create(client, sql);
          statement.prepare(text, -1);
          return executed(statement, List.of(), FRAME_ROWS_MAX, true).resultSets.getFirst();
        });
  }

  @Override
  public MetaResultSet getCatalogs(ConnectionHandle handle) {
    return asked(handle, JdbcQuestions.CATALOGS);
  }

  @Override
  public MetaResultSet getSchemas(ConnectionHandle handle, String catalog, Pat schemas) {
    return asked(handle, JdbcQuestions.schemas(catalog, schemas));
  }

  @Override
  public MetaResultSet getTables(
      ConnectionHandle handle, String catalog, Pat schemas, Pat tables, List<String> types) {
    return asked(handle, JdbcQuestions.tables(catalog, schemas, tables, types));
  }

  @Override
  public MetaResultSet getColumns(
      ConnectionHandle handle, String catalog, Pat schemas, Pat tables, Pat columns) {
    return asked(handle, JdbcQuestions.columns(catalog, schemas, tables, columns));
  }

  @Override
  public MetaResultSet getTableTypes(ConnectionHandle handle) {
    return asked(handle, JdbcQuestions.TABLE_TYPES);
  }
}
