package io.uniserve.duckdb;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlbackend.ArrowTable;
import io.uniserve.sqlbackend.WarehouseSchema;
import io.uniserve.sqlplanner.DistributedQuery;
import io.uniserve.sqlplanner.Stage;
import io.uniserve.sqlsyntax.SqlTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.arrow.vector.types.pojo.Schema;
import org.duckdb.DuckDBConnection;

/** Tables without rows: running a query on them tells the types that DuckDB gives its columns. */
public final class EmptyTables {
  private EmptyTables() {}

  /**
   * The columns of a query's answer.
   *
   * @throws UniserveException what DuckDB reports
   */
  public static Schema columns(TableDefinition warehouse, DistributedQuery query) {
    AtomicReference<Schema> columns = new AtomicReference<>();
    try (Database database = Database.inMemory(ClientDatabase.MEMORY_MEGABYTES);
        DuckDBConnection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (SqlTable table : WarehouseSchema.of(warehouse).tables().values()) {
        statement.execute(DuckDatabase.definition(table));
      }
      for (Stage stage : query.stages().subList(0, query.stages().size() - 1)) {
        statement.execute(
            "CREATE TEMP TABLE " + DuckRows.quoted(stage.name()) + " AS " + stage.sql());
      }
      try (ResultSet result = statement.executeQuery(query.stages().getLast().sql())) {
        DuckRows.read(
            result, rows -> columns.set(ArrowTable.named(rows, query.columns()).getSchema()));
      }
      return columns.get();
    } catch (SQLException e) {
      throw Database.failure("SQL", e);
    }
  }
}
