package io.uniserve.runtime.server.replica;

import io.uniserve.runtime.wire.TransactionMessage.Applied;
import io.uniserve.runtime.wire.entry.Position;

/** The outcome of an attempt to prepare. */
public sealed interface Preparation {
  /**
   * The actor has prepared.
   *
   * @param position the position of the entry, which must be forced before anybody relies on it
   */
  record Ready(Position position) implements Preparation {}

  /**
   * A transaction with the same key was committed before.
   *
   * @param applied its key and position
   */
  record Known(Applied applied) implements Preparation {}
}
