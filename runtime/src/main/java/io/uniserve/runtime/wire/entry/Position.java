package io.uniserve.runtime.wire.entry;

/**
 * A place in the update log of one actor. Positions are ordered by epoch, then sequence. A sequence
 * number is given once in an epoch of an actor, and sequences continue to rise across epochs.
 *
 * @param epoch the epoch of the primary that gave the number; grows with every change of primary
 * @param sequence the number of the update, from 1; 0 before the first
 */
public record Position(long epoch, long sequence) implements Comparable<Position> {
  /** The position before the first update of a new actor. */
  public static final Position START = new Position(0, 0);

  @Override
  public int compareTo(Position other) {
    int byEpoch = Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compare(sequence, other.sequence);
  }

  @Override
  public String toString() {
    return epoch + ":" + sequence;
  }
}
