package io.uniserve.gateways.flightsql;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.ScanOptions;
import java.util.Optional;

/**
 * The headers {@code warehouse}, which names the warehouse if the SQL does not, {@code
 * idempotency-key}, with which a change may be sent again, {@code read}, the level of reads of
 * ordered tables, and {@code priority}, that of large answers. Drivers can send headers with every
 * call of a connection or of a statement.
 */
final class CallHeaders implements ServerInterceptor {
  private static final int KEY_LENGTH_MAX = 100;
  private static final String WAREHOUSE = "warehouse";
  private static final String KEY = "idempotency-key";
  private static final String READ = "read";
  private static final String PRIORITY = "priority";
  private static final Metadata.Key<String> READ_NAME =
      Metadata.Key.of(READ, Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> PRIORITY_NAME =
      Metadata.Key.of(PRIORITY, Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<String> CURRENT_READ = Context.key(READ);
  private static final Context.Key<String> CURRENT_PRIORITY = Context.key(PRIORITY);
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

  /**
   * Returns the level of reads of the current call.
   *
   * @throws UniserveException if the header names none
   */
  static ReadLevel read() {
    return Optional.ofNullable(CURRENT_READ.get()).map(ReadLevel::of).orElse(ReadLevel.BASIC);
  }

  /**
   * Returns the options of scans for the current call.
   *
   * @throws UniserveException if the header is no priority
   */
  static ScanOptions scans() {
    return Optional.ofNullable(CURRENT_PRIORITY.get())
        .map(given -> ScanOptions.DEFAULT.withPriority(ScanOptions.priority(given)))
        .orElse(ScanOptions.DEFAULT);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Context context =
        Context.current()
            .withValue(CURRENT_READ, headers.get(READ_NAME))
            .withValue(CURRENT_PRIORITY, headers.get(PRIORITY_NAME))
            .withValue(CURRENT_WAREHOUSE, headers.get(WAREHOUSE_NAME))
            .withValue(CURRENT_KEY, headers.get(KEY_NAME));
    return Contexts.interceptCall(context, call, headers, next);
  }
}
