package io.uniserve.gateways.flightsql;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.uniserve.api.error.UniserveException;
import java.util.Optional;

/**
 * The headers {@code warehouse}, which names the warehouse if the SQL does not, and {@code
 * idempotency-key}, with which a change may be sent again. Drivers can send headers with every call
 * of a connection or of a statement.
 */
final class CallHeaders implements ServerInterceptor {
  private static final int KEY_LENGTH_MAX = 100;
  private static final String WAREHOUSE = "warehouse";
  private static final String KEY = "idempotency-key";
  private static final Metadata.Key<String> WAREHOUSE_NAME =
      Metadata.Key.of(WAREHOUSE, Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> KEY_NAME =
      Metadata.Key.of(KEY, Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<String> CURRENT_WAREHOUSE = Context.key(WAREHOUSE);
  private static final Context.Key<String> CURRENT_KEY = Context.key(KEY);

  /** Returns the warehouse that the current call names. */
  static Optional<String> warehouse() {
    return Optional.ofNullable(CURRENT_WAREHOUSE.get());
  }

  /**
   * Returns the idempotency key of the current call.
   *
   * @throws UniserveException if it is empty or too long
   */
  static Optional<String> idempotencyKey() {
    String key = CURRENT_KEY.get();
    if (key != null && (key.isEmpty() || key.length() > KEY_LENGTH_MAX)) {
      throw UniserveException.invalid(KEY + ": must have 1 to " + KEY_LENGTH_MAX + " characters");
    }
    return Optional.ofNullable(key);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Context context =
        Context.current()
            .withValue(CURRENT_WAREHOUSE, headers.get(WAREHOUSE_NAME))
            .withValue(CURRENT_KEY, headers.get(KEY_NAME));
    return Contexts.interceptCall(context, call, headers, next);
  }
}
