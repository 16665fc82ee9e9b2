package io.uniserve.node.http.api;

import io.javalin.http.Context;
import io.uniserve.api.error.UniserveException;
import java.util.Optional;

/** The header {@code Idempotency-Key}. */
final class IdempotencyKeys {
  private static final String HEADER = "Idempotency-Key";
  private static final int LENGTH_MAX = 100;

  private IdempotencyKeys() {}

  /**
   * Returns the key of a request, if it has one.
   *
   * @throws UniserveException if it is empty or too long
   */
  static Optional<String> of(Context context) {
    Optional<String> key = Optional.ofNullable(context.header(HEADER));
    key.ifPresent(given -> check(HEADER, given));
    return key;
  }

  /**
   * Requires that a key has a permitted length.
   *
   * @param name the name of the key's source, for the message
   */
  static void check(String name, String key) {
    if (key.isEmpty() || key.length() > LENGTH_MAX) {
      throw UniserveException.invalid(name + ": must have 1 to " + LENGTH_MAX + " characters");
    }
  }
}
