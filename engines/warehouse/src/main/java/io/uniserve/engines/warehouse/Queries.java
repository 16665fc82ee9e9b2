package io.uniserve.engines.warehouse;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.duckdb.DuckDBConnection;

/** Runs statements of stages. */
final class Queries {
  private Queries() {}

  /**
   * Runs a statement with the rows of earlier stages as temporary tables; gives its rows, some at a
   * time.
   *
   * @param over whether nobody wants them any more
   * @return how many rows
   */
  static long run(
      DuckDBConnection connection,
      List<Shipped> inputs,
      String sql,
      Duration timeout,
      BooleanSupplier over,
      Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    for (Shipped input : inputs) {
      Blocks.load(connection, input.name(), input.blocks());
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setQueryTimeout(Math.clamp(timeout.toSeconds() + 1, 1, Integer.MAX_VALUE));
      try (Watch _ = new Watch(statement, over);
          ResultSet result = statement.executeQuery()) {
        return Blocks.read(result, rows);
      }
    }
  }
}
