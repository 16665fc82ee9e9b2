package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.arrow.Blocks;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.Text;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;

class DuckRowsTest {
  private static final int ROWS = 100;
  private static final int DAMAGES = 3_000;

  private static byte[] block() {
    Schema schema =
        new Schema(
            List.of(
                Field.nullable("number", new ArrowType.Int(64, true)),
                Field.nullable("text", new ArrowType.Utf8())));
    try (BufferAllocator memory = Blocks.newMemory();
        VectorSchemaRoot rows = VectorSchemaRoot.create(schema, memory)) {
      BigIntVector numbers = (BigIntVector) rows.getVector(0);
      VarCharVector texts = (VarCharVector) rows.getVector(1);
      for (int i = 0; i < ROWS; i++) {
        numbers.setSafe(i, i);
        texts.setSafe(i, new Text("text " + i));
      }
      rows.setRowCount(ROWS);
      ByteBuffer block = Blocks.of(rows);
      byte[] bytes = new byte[block.remaining()];
      block.get(bytes);
      return bytes;
    }
  }

  /** A database reads blocks by itself: what would lead it beyond their ends must not reach it. */
  @Test
  void whateverIsChangedItIsStoredOrRefused() throws Exception {
    Random random = new Random(1);
    int refused = 0;
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE rows (number BIGINT, text VARCHAR)");
      for (int i = 0; i < DAMAGES; i++) {
        byte[] block = block();
        for (int damages = random.nextInt(1, 4); damages > 0; damages--) {
          block[random.nextInt(block.length)] = (byte) random.nextInt();
        }
        try {
          DuckRows.insert(
              connection.unwrap(DuckDBConnection.class),
              "rows",
              List.of(ByteBuffer.wrap(block)),
              columns -> {});
          statement.executeQuery("SELECT sum(hash(number, text)) FROM rows").close();
        } catch (UniserveException e) {
          assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
          refused++;
        } catch (SQLException e) {
          assertThat(e.getMessage()).contains("Invalid unicode"); // the database looks itself
        }
        statement.execute("DELETE FROM rows");
      }
    }
    assertThat(refused).isBetween(DAMAGES / 20, DAMAGES * 19 / 20);
  }
}
