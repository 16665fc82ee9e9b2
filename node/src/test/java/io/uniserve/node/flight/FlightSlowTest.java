package io.uniserve.node.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import io.uniserve.node.access.Access;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.access.Tokens;
import io.uniserve.node.rpc.RpcService;
import io.uniserve.node.rpc.RpcSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.flight.AsyncPutListener;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.sql.FlightSqlClient;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions.TableExistsOption;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions.TableNotExistOption;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that begin to send rows, and then do not. */
@Timeout(180)
@SuppressWarnings("try") // Flight's resources may throw InterruptedException
class FlightSlowTest {
  private static final FlightDescriptor INGEST =
      FlightDescriptor.command(
          Any.pack(
                  CommandStatementIngest.newBuilder()
                      .setTable("digits")
                      .setSchema("trade")
                      .setTableDefinitionOptions(
                          TableDefinitionOptions.newBuilder()
                              .setIfNotExist(TableNotExistOption.TABLE_NOT_EXIST_OPTION_CREATE)
                              .setIfExists(TableExistsOption.TABLE_EXISTS_OPTION_APPEND))
                      .build())
              .toByteArray());

  /** A number of clients that is larger than the limit of statements. */
  private static final int MANY = 20;

  @TempDir private Path directory;

  private static HeaderCallOption as(String token) {
    CallHeaders headers = new FlightCallHeaders();
    headers.insert("authorization", "Bearer " + token);
    return new HeaderCallOption(headers);
  }

  @Test
  void holdUpNobodyAndAreEnded() throws Exception {
    TokenFile tokens = new TokenFile(directory.resolve("tokens"));
    TreeSet<String> trade = new TreeSet<>(Set.of("trade"));
    String reader = tokens.create("reader", new Rights(false, trade, new TreeSet<>()));
    String writer = tokens.create("writer", new Rights(false, trade, trade));
    RpcSettings usual =
        new RpcSettings("127.0.0.1", 0, Access.byToken(new Tokens(tokens)), Optional.empty());
    RpcSettings impatient =
        new RpcSettings(
            usual.host(),
            0,
            usual.messageBytesMax(),
            usual.callsMax(),
            5,
            usual.access(),
            usual.tls());
    try (Trade data = new Trade(directory.resolve("data"));
        RpcService service = data.serve(impatient);
        BufferAllocator memory = new RootAllocator();
        FlightClient client =
            FlightClient.builder(memory, Location.forGrpcInsecure("127.0.0.1", service.port()))
                .build();
        FlightSqlClient sql = new FlightSqlClient(client);
        BigIntVector numbers = new BigIntVector("n", memory);
        VectorSchemaRoot rows = VectorSchemaRoot.of(numbers)) {
      AsyncPutListener refused = new AsyncPutListener();
      client.startPut(INGEST, rows, refused, as(reader));
      assertThatThrownBy(refused::getResult).hasMessageContaining("may not write table 'trade'");

      List<AsyncPutListener> slow = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        slow.add(new AsyncPutListener());
        client.startPut(INGEST, rows, slow.getLast(), as(writer));
      }
      assertThat(sql.executeUpdate("delete from trade.digits where n = 1", as(writer)))
          .isEqualTo(1);
      for (AsyncPutListener each : slow) {
        assertThatThrownBy(each::getResult)
            .isInstanceOfSatisfying(
                FlightRuntimeException.class,
                e -> assertThat(e.status().code()).isEqualTo(FlightStatusCode.TIMED_OUT))
            .hasMessageContaining("the call sends less than 4096 bytes in 5 s");
      }
      Trade.awaitIdle();
    }
  }
}
