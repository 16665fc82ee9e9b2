package io.uniserve.engines.warehouse;

import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.duckdb.DuckDBConnection;

/** Runs statements of stages. */
final class Queries {
  private Queries() {}

  /**
   * Runs a statement with the rows of earlier stages as temporary tables; gives its rows, in
   * blocks.
   *
   * @param over whether nobody wants them any more
   */
  static void run(
      DuckDBConnection connection,
      List<Shipped> inputs,
      String sql,
      Duration timeout,
      BooleanSupplier over,
      Consumer<ByteBuffer> blocks)
      throws SQLException {
    for (Shipped input : inputs) {
      Blocks.load(connection, input.name(), input.blocks());
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setQueryTimeout(Math.clamp(timeout.toSeconds() + 1, 1, Integer.MAX_VALUE));
      try (Watch _ = new Watch(statement, over);
          ResultSet result = statement.executeQuery()) {
        Blocks.write(result, blocks);
      }
    }
  }
}
