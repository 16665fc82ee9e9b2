package io.uniserve.api;

import io.uniserve.api.error.UniserveException;

/**
 * The receiver of an operator's results, one piece at a time. A piece leaves the server as soon as
 * it is put. {@code put} waits while the receiver is behind.
 *
 * @param <T> the pieces
 */
@FunctionalInterface
public interface Output<T> {
  /**
   * Sends one piece.
   *
   * @throws UniserveException if the query has ended; the operator should not catch it
   */
  void put(T piece);
}
