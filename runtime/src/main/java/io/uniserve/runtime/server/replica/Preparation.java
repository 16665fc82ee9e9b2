package io.uniserve.runtime.server.replica;

import io.uniserve.runtime.wire.TransactionMessage.Applied;
import io.uniserve.runtime.wire.entry.Position;
import java.util.SortedMap;

/** The outcome of an attempt to prepare. */
public sealed interface Preparation {
  /**
   * The actor has prepared.
   *
   * @param position the position of the entry, which must be forced before anybody relies on it
   * @param known the updates of a group that were committed before, by number
   */
  record Ready(Position position, SortedMap<Integer, Applied> known) implements Preparation {}

  /**
   * All updates were committed before, by transactions with the same keys.
   *
   * @param known the updates, by number
   */
  record Known(SortedMap<Integer, Applied> known) implements Preparation {}

  /**
   * An update of a group is refused, and nothing is prepared.
   *
   * @param number the number of the update, counted from 0
   */
  record Refused(int number) implements Preparation {}
}
