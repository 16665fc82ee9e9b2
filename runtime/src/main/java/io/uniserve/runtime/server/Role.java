package io.uniserve.runtime.server;

/** What a replica is at present. */
sealed interface Role {
  /** Applies nothing: not yet opened, sealed, or stepped down. */
  record Idle() implements Role {}

  /**
   * Applies what the primary of this epoch sends.
   *
   * @param epoch the reign
   */
  record Following(long epoch) implements Role {}

  /**
   * Is the primary of this epoch.
   *
   * @param epoch the reign
   */
  record Leading(long epoch) implements Role {}

  /**
   * Is the primary of this epoch still, for its followers, but takes no more updates: another is
   * about to lead.
   *
   * @param epoch the reign that ends
   */
  record HandingOver(long epoch) implements Role {}
}
