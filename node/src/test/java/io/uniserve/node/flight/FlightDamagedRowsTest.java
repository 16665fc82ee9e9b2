package io.uniserve.node.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.node.rpc.RpcService;
import java.nio.file.Path;
import java.util.Map;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.sql.FlightSqlClient;
import org.apache.arrow.flight.sql.FlightSqlClient.ExecuteIngestOptions;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions.TableExistsOption;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions.TableNotExistOption;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.util.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows whose values lie where there is nothing, as a client could send them. */
@Timeout(120)
@SuppressWarnings("try") // Flight's resources may throw InterruptedException
class FlightDamagedRowsTest {
  private static final int ROWS = 3;
  private static final ExecuteIngestOptions OPTIONS =
      new ExecuteIngestOptions(
          "notes",
          TableDefinitionOptions.newBuilder()
              .setIfNotExist(TableNotExistOption.TABLE_NOT_EXIST_OPTION_CREATE)
              .setIfExists(TableExistsOption.TABLE_EXISTS_OPTION_APPEND)
              .build(),
          null,
          "trade",
          Map.of());

  @TempDir private Path directory;

  @Test
  void areRefusedAndOthersStored() throws Exception {
    try (Trade trade = new Trade(directory);
        RpcService service = trade.serve();
        BufferAllocator memory = new RootAllocator();
        FlightSqlClient client =
            new FlightSqlClient(
                FlightClient.builder(memory, Location.forGrpcInsecure("127.0.0.1", service.port()))
                    .build());
        VarCharVector texts = new VarCharVector("text", memory)) {
      for (int i = 0; i < ROWS; i++) {
        texts.setSafe(i, new Text("text " + i));
      }
      texts.setValueCount(ROWS);
      VectorSchemaRoot rows = VectorSchemaRoot.of(texts);
      assertThat(client.executeIngest(rows, OPTIONS)).isEqualTo(ROWS);

      // The first text is said to take two gigabytes; the last one ends where it should.
      texts.getOffsetBuffer().setInt(VarCharVector.OFFSET_WIDTH, Integer.MAX_VALUE);
      assertThatThrownBy(() -> client.executeIngest(rows, OPTIONS))
          .isInstanceOfSatisfying(
              FlightRuntimeException.class,
              e -> assertThat(e.status().code()).isEqualTo(FlightStatusCode.INVALID_ARGUMENT))
          .hasMessageContaining("'text': a value ends at 12, before 2147483647");

      texts.getOffsetBuffer().setInt(VarCharVector.OFFSET_WIDTH, 6);
      assertThat(client.executeIngest(rows, OPTIONS)).isEqualTo(ROWS);
    }
  }
}
