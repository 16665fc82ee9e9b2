package io.uniserve.gateways.flightsql;

import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.uniserve.runtime.client.RpcGateway;
import io.uniserve.runtime.client.UniserveClient;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.apache.arrow.flight.FlightGrpcUtils;
import org.apache.arrow.flight.auth.ServerAuthHandler;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** The gateway of Arrow Flight SQL. */
public final class FlightSqlGateway implements RpcGateway {
  /**
   * The most memory for clients' messages and metadata. The rows of answers have memory of their
   * own.
   */
  private static final long MEMORY_BYTES_MAX = 512 << 20;

  @Override
  public String name() {
    return "Flight SQL";
  }

  /**
   * The authentication handler, which does nothing: calls are authenticated before they come here.
   */
  @SuppressWarnings("deprecation") // there is no other way to switch the handler off
  @Override
  public Services serve(UniserveClient client, ExecutorService threads) {
    BufferAllocator memory = new RootAllocator(MEMORY_BYTES_MAX);
    Warehouses warehouses = new Warehouses(client);
    BindableService flight =
        FlightGrpcUtils.createFlightService(
            memory,
            new SqlProducer(warehouses, new Running(client, warehouses, threads), memory),
            ServerAuthHandler.NO_OP,
            threads);
    ServerServiceDefinition service =
        ServerInterceptors.intercept(CheckedMessages.of(flight.bindService()), new CallHeaders());
    return new Services(List.of(service), memory::close);
  }
}
