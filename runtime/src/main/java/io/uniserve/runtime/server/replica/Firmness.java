package io.uniserve.runtime.server.replica;

import io.uniserve.runtime.wire.entry.Position;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;

/**
 * The knowledge of one copy about which of its updates can still be lost. An update is firm once
 * every readable copy has it on disk. A transaction that is decided in the control log is firm when
 * it is decided. An update that its primary alone decides can be seen before it is firm. One thread
 * at a time may show updates and take them back; any thread may do the rest.
 */
final class Firmness {
  private static final BinaryOperator<Position> LATER =
      (one, other) -> one.compareTo(other) >= 0 ? one : other;

  /** The last update that readers may see, and that its primary alone has decided. */
  private volatile Position shown;

  /** The last entry that must be on this copy's disk before anybody is told of it. */
  private volatile Position promised;

  private final AtomicReference<Position> firm = new AtomicReference<>(Position.START);
  private final AtomicReference<Position> forced = new AtomicReference<>(Position.START);

  /**
   * @param position the position of a copy that was opened, of which nothing is known
   */
  Firmness(Position position) {
    this.shown = position;
    this.promised = position;
  }

  /** Notes that an update becomes visible, which only its primary decides. */
  void shows(Position update) {
    shown = update;
    promised = update;
  }

  /** Notes that others are to be told of an entry. */
  void promised(Position entry) {
    promised = entry;
  }

  /** Notes that the newest entry was taken back. */
  void takenBack(Position before) {
    shown = before.compareTo(shown) < 0 ? before : shown;
    promised = before.compareTo(promised) < 0 ? before : promised;
  }

  /** Returns the last update that readers may see, and that its primary alone has decided. */
  Position shown() {
    return shown;
  }

  /** Returns whether everything that can be seen is known to be firm. */
  boolean isFirm() {
    return isFirm(shown);
  }

  /** Returns whether everything up to a position is known to be firm. */
  boolean isFirm(Position position) {
    return firm.get().compareTo(position) >= 0;
  }

  /** Notes that everything up to a position is firm. */
  void firm(Position position) {
    firm.accumulateAndGet(position, LATER);
  }

  /** Returns whether the disk has everything that others may be told of. */
  boolean isForced() {
    return isForced(promised);
  }

  /** Returns whether the disk has everything up to a position. */
  boolean isForced(Position position) {
    return forced.get().compareTo(position) >= 0;
  }

  /** Notes that the disk has everything up to a position. */
  void forced(Position position) {
    forced.accumulateAndGet(position, LATER);
  }
}
