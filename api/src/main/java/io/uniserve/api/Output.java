package io.uniserve.api;

/**
 * Where an operator puts what it computes, one piece at a time. A piece leaves the server as soon
 * as it is put; {@code put} waits while the receiver is behind.
 *
 * @param <T> the pieces
 */
@FunctionalInterface
public interface Output<T> {
  /**
   * @throws UniserveException if the query has ended; the operator should let it pass
   */
  void put(T piece);
}
