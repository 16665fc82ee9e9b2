package io.uniserve.gateways.flightsql;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/**
 * The header {@code warehouse}, which says what a call is about where its SQL does not. Drivers
 * have it sent with every call of a connection.
 */
final class WarehouseHeader implements ServerInterceptor {
  private static final Metadata.Key<String> NAME =
      Metadata.Key.of("warehouse", Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<String> CURRENT = Context.key("warehouse");

  /** Of the call that this thread works on. */
  static Optional<String> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return Contexts.interceptCall(
        Context.current().withValue(CURRENT, headers.get(NAME)), call, headers, next);
  }
}
