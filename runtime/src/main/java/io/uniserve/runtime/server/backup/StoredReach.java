package io.uniserve.runtime.server.backup;

import io.uniserve.runtime.wire.entry.Position;

/**
 * The reach of the durable store for one actor, as its primary knows it.
 *
 * @param epoch the epoch of the primary, which has taken the history over
 * @param end the last position in the store
 * @param based true if the history continues what the store had; if not, a checkpoint must follow,
 *     without which further log is useless
 * @param logBytes the bytes of log, roughly, since the newest checkpoint
 */
record StoredReach(long epoch, Position end, boolean based, long logBytes) {
  /** Returns the reach after more log was stored. */
  StoredReach logged(Position last, long bytes) {
    return new StoredReach(epoch, last, based, logBytes + bytes);
  }

  /** Returns the reach after a checkpoint was stored. */
  StoredReach checkpointed(Position position) {
    return new StoredReach(epoch, position, true, 0);
  }

  /** Returns the reach if both are known: the further end, and the smaller log to apply. */
  StoredReach merge(StoredReach other) {
    boolean further = other.end.sequence() > end.sequence();
    return new StoredReach(
        epoch,
        further ? other.end : end,
        based || other.based,
        other.logBytes == 0 ? 0 : Math.max(logBytes, other.logBytes));
  }
}
