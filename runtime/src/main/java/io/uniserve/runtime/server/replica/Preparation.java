package io.uniserve.runtime.server.replica;

import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.wire.TransactionMessage.Applied;
import io.uniserve.runtime.wire.entry.Position;

/** The outcome of an attempt to prepare. */
public sealed interface Preparation {
  /**
   * The actor has prepared.
   *
   * @param position the position of the entry
   * @param file has the entry, and must be forced before anybody relies on it
   */
  record Ready(Position position, FramedFile file) implements Preparation {}

  /**
   * A transaction with the same key was committed before.
   *
   * @param applied its key and position
   */
  record Known(Applied applied) implements Preparation {}

  /**
   * Another transaction is not decided yet.
   *
   * @param open that transaction
   */
  record Occupied(OpenTransaction open) implements Preparation {}
}
