package io.uniserve.runtime.server;

import io.uniserve.runtime.wire.Position;

/**
 * How far the durable store is with an actor, as its primary knows.
 *
 * @param epoch of the primary, which has taken the history over
 * @param end the last position in the store
 * @param based whether the history goes on from what the store had; if not, a checkpoint must
 *     follow, without which what is added is of no use
 * @param logBytes how much log there is since the newest checkpoint, about
 */
record StoredReach(long epoch, Position end, boolean based, long logBytes) {
  /** After so much more log. */
  StoredReach logged(Position last, long bytes) {
    return new StoredReach(epoch, last, based, logBytes + bytes);
  }

  /** After a checkpoint. */
  StoredReach checkpointed(Position position) {
    return new StoredReach(epoch, position, true, 0);
  }

  /** What is known if both are: the further end, and the less to be done. */
  StoredReach merge(StoredReach other) {
    boolean further = other.end.sequence() > end.sequence();
    return new StoredReach(
        epoch,
        further ? other.end : end,
        based || other.based,
        other.logBytes == 0 ? 0 : Math.max(logBytes, other.logBytes));
  }
}
