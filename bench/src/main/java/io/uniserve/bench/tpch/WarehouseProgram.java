package io.uniserve.bench.tpch;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.base.BenchException;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.engines.warehouse.WarehousePlanner;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.sql.changes.BulkRows;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBResultSet;

/**
 * The program of the process with an embedded cluster: a warehouse of four actors, one copy each.
 * All servers share as many threads as there are processors.
 */
public final class WarehouseProgram {
  private static final int ACTORS = 4;
  private static final int BATCH_ROWS = 131_072;
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final QueryOptions OPTIONS = new QueryOptions(TIMEOUT);

  private final TableDefinition warehouse;
  private final UniserveClient client;
  private final SqlProgram.Task task;

  private WarehouseProgram(SqlProgram.Task task, UniserveClient client) {
    this.task = task;
    this.client = client;
    warehouse =
        new TableDefinition(
            "tpch",
            WarehouseEngine.NAME,
            new Partitioner.Hash(ACTORS),
            1,
            Durability.NONE,
            Map.of("tables", task.tables().tables()));
  }

  /**
   * @param arguments those of {@link SqlProgram.Task}
   */
  public static void main(String[] arguments) throws IOException, SQLException {
    SqlProgram program = new SqlProgram();
    SqlProgram.Task task = SqlProgram.Task.of(arguments);
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(task.directory(), ACTORS, new WarehouseEngine())) {
      WarehouseProgram asked = new WarehouseProgram(task, cluster.client());
      program.run(asked::load, asked::rows);
    }
  }

  private long load() throws SQLException, IOException {
    client.createTable(warehouse, TIMEOUT);
    long rows = 0;
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        BufferAllocator memory = new RootAllocator()) {
      statement.execute("SET threads = 1");
      for (String table : task.tables().names()) {
        String sql = task.tables().reading(table, task.files().file(table));
        try (ResultSet result = statement.executeQuery(sql);
            ArrowReader reader =
                (ArrowReader)
                    result.unwrap(DuckDBResultSet.class).arrowExportStream(memory, BATCH_ROWS)) {
          while (reader.loadNextBatch()) {
            rows += store(table, reader.getVectorSchemaRoot());
          }
        }
      }
    }
    return rows;
  }

  private long store(String table, VectorSchemaRoot rows) {
    client.update(
        warehouse.name(),
        BulkRows.function(),
        BulkRows.records(warehouse, table, rows),
        UpdateOptions.ALL_COPIES);
    return rows.getRowCount();
  }

  private List<List<String>> rows(String sql) {
    Object answer = client.query(new WarehousePlanner().plan(warehouse, sql, Map.of()), OPTIONS);
    if (!(answer instanceof Map<?, ?> document && document.get("rows") instanceof List<?> rows)) {
      throw new BenchException("No rows in " + answer);
    }
    List<List<String>> texts = new ArrayList<>(rows.size());
    for (Object row : rows) {
      texts.add(((List<?>) row).stream().map(SqlProgram::text).toList());
    }
    return texts;
  }
}
