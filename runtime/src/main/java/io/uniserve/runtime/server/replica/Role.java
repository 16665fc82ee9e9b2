package io.uniserve.runtime.server.replica;

/** The present role of a replica. */
public sealed interface Role {
  /** A replica that applies nothing: it is not opened yet, sealed, or has stepped down. */
  record Idle() implements Role {}

  /**
   * A replica that applies what the primary of this epoch sends.
   *
   * @param epoch the primary's
   */
  record Following(long epoch) implements Role {}

  /**
   * The primary of this epoch.
   *
   * @param epoch its own
   */
  record Leading(long epoch) implements Role {}

  /**
   * A primary that still serves its followers but accepts no further updates, since another is
   * about to lead.
   *
   * @param epoch the one that ends
   */
  record HandingOver(long epoch) implements Role {}
}
