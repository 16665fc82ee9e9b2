package io.uniserve.node.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.node.rpc.RpcService;
import java.nio.file.Path;
import org.apache.arrow.flight.CancelFlightInfoRequest;
import org.apache.arrow.flight.CancelStatus;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.sql.FlightSqlClient;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Statements that are cancelled while an actor computes, or the last stage, which drivers do in one
 * of two ways.
 */
@Timeout(120)
@SuppressWarnings("try") // Flight's resources may throw InterruptedException
class FlightCancelTest {
  @TempDir private Path directory;

  @Test
  void theActorsStopToo() throws Exception {
    try (Trade trade = new Trade(directory);
        RpcService service = trade.serve();
        BufferAllocator memory = new RootAllocator();
        FlightSqlClient client =
            new FlightSqlClient(
                FlightClient.builder(memory, Location.forGrpcInsecure("127.0.0.1", service.port()))
                    .build())) {
      try (FlightStream stream = client.getStream(ticket(client.execute(Trade.LONG)))) {
        Trade.awaitActor();
        stream.cancel("enough", null);
        Trade.awaitIdle();
      }

      FlightInfo info = client.execute(Trade.LONG);
      try (FlightStream stream = client.getStream(ticket(info))) {
        Trade.awaitActor();
        assertThat(client.cancelFlightInfo(new CancelFlightInfoRequest(info)).getStatus())
            .isEqualTo(CancelStatus.CANCELLING);
        assertThatThrownBy(stream::next)
            .isInstanceOfSatisfying(
                FlightRuntimeException.class,
                e -> assertThat(e.status().code()).isEqualTo(FlightStatusCode.CANCELLED));
        Trade.awaitIdle();
      }
      assertThat(client.cancelFlightInfo(new CancelFlightInfoRequest(info)).getStatus())
          .isEqualTo(CancelStatus.NOT_CANCELLABLE);

      try (FlightStream stream = client.getStream(ticket(client.execute(Trade.LONG_AT_THE_END)))) {
        Trade.awaitLastStage();
        stream.cancel("enough", null);
        Trade.awaitIdle();
      }
      assertThatThrownBy(() -> client.getStream(new Ticket(new byte[] {1, 2, 3})).next())
          .isInstanceOf(FlightRuntimeException.class);
    }
  }

  private static Ticket ticket(FlightInfo info) {
    return info.getEndpoints().getFirst().getTicket();
  }
}
