package io.uniserve.backends.duckdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.ArrowTable;
import io.uniserve.sql.backend.BoundColumn;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.planner.Stage;
import io.uniserve.sql.syntax.SqlTable;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.arrow.vector.types.pojo.Schema;
import org.duckdb.DuckDBConnection;

/**
 * Tables without rows, on which DuckDB plans a query without running it. This shows whether DuckDB
 * accepts the query, and the types of its columns.
 */
public final class EmptyTables implements AutoCloseable {
  private static final Set<String> UNTOLD = Set.of("INVALID", "UNKNOWN", "NULL");

  private final DuckDBConnection connection;

  private EmptyTables(DuckDBConnection connection) {
    this.connection = connection;
  }

  /** Makes the tables that the stages of a query may read. */
  private static EmptyTables of(List<SqlTable> tables, DistributedQuery query) throws SQLException {
    EmptyTables made = new EmptyTables(ClientDatabase.connect());
    try {
      for (SqlTable table : tables) {
        String name = query.isWhole() ? table.name() : table.stored();
        if (query.stages().stream().anyMatch(stage -> reads(stage, name))) {
          made.execute(DuckDatabase.definition(table, name));
        }
      }
      if (!query.isWhole()) {
        for (Stage stage : query.stages().subList(0, query.stages().size() - 1)) {
          made.execute(
              "CREATE TABLE "
                  + DuckRows.quoted(stage.name())
                  + " AS "
                  + stage.sql()
                  + " WITH NO DATA");
        }
      }
      return made;
    } catch (SQLException e) {
      made.close();
      throw e;
    }
  }

  private static boolean reads(Stage stage, String table) {
    return stage.name().equals(table) || stage.sql().contains(DuckRows.quoted(table));
  }

  /** Runs a definition of a temporary table, since others in this process may use the same name. */
  private void execute(String definition) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(definition.replaceFirst("^CREATE TABLE", "CREATE TEMP TABLE"));
    }
  }

  /**
   * Returns the columns of a query's last stage, if DuckDB accepts all stages.
   *
   * @param tables the tables that the query may read
   * @throws UniserveException with DuckDB's error
   */
  public static List<BoundColumn> bound(List<SqlTable> tables, DistributedQuery query) {
    String sql = query.stages().getLast().sql();
    try (EmptyTables made = of(tables, query);
        PreparedStatement statement = made.connection.prepareStatement(sql)) {
      ResultSetMetaData known = statement.getMetaData();
      List<BoundColumn> columns = new ArrayList<>();
      for (int i = 1; i <= known.getColumnCount(); i++) {
        columns.add(new BoundColumn(known.getColumnName(i), known.getColumnTypeName(i)));
      }
      return columns;
    } catch (SQLException e) {
      throw failure(query, e);
    }
  }

  /**
   * Returns the columns of a query's answer.
   *
   * @param tables the tables that the query may read
   * @throws UniserveException with DuckDB's error
   */
  public static Schema columns(List<SqlTable> tables, DistributedQuery query) {
    AtomicReference<Schema> columns = new AtomicReference<>();
    String sql = query.stages().getLast().sql();
    try (EmptyTables made = of(tables, query);
        Statement statement = made.connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM (" + sql + "\n) LIMIT 0")) {
      DuckRows.read(
          result,
          rows -> columns.set(DuckRows.plain(ArrowTable.named(rows, query.columns())).getSchema()));
      return columns.get();
    } catch (SQLException e) {
      throw failure(query, e);
    }
  }

  /**
   * Returns DuckDB's names of the types of a query's parameters, as far as the query determines
   * them.
   *
   * @param tables the tables that the query reads
   * @param sql the query
   * @throws UniserveException with DuckDB's error
   */
  public static List<Optional<String>> parameters(List<SqlTable> tables, String sql) {
    try (EmptyTables made = new EmptyTables(ClientDatabase.connect())) {
      for (SqlTable table : tables) {
        made.execute(DuckDatabase.definition(table, table.name()));
      }
      try (PreparedStatement statement = made.connection.prepareStatement(sql)) {
        ParameterMetaData known = statement.getParameterMetaData();
        List<Optional<String>> types = new ArrayList<>();
        for (int i = 1; i <= known.getParameterCount(); i++) {
          types.add(
              Optional.of(known.getParameterTypeName(i)).filter(type -> !UNTOLD.contains(type)));
        }
        return types;
      }
    } catch (SQLException e) {
      throw ClientDatabase.failure(DuckFailure.ofQuery(e)).ofCaller(sql, e);
    }
  }

  private static UniserveException failure(DistributedQuery query, SQLException e) {
    DuckFailure failure = ClientDatabase.failure(DuckFailure.ofQuery(e));
    return query.isWhole()
        ? failure.ofCaller(query.stages().getLast().sql(), e)
        : new UniserveException(ErrorCode.UNSUPPORTED, "SQL: " + failure.message(), e);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
