package io.uniserve.runtime.server.replica;

import io.uniserve.runtime.wire.entry.Position;
import java.util.Optional;

/**
 * The updates of one copy that a read may have seen, until it is answered. It may have seen one
 * that not all readable copies have on disk, so that the update could still be lost.
 */
public final class Sight {
  private final ReplicaState state;
  private final ReplicaData data;
  private final Optional<Position> shown;

  Sight(ReplicaState state, ReplicaData data) {
    this(state, data, Optional.empty());
  }

  /**
   * @param shown the position up to which the read has seen updates; empty if it sees the newest
   */
  Sight(ReplicaState state, ReplicaData data, Optional<Position> shown) {
    this.state = state;
    this.data = data;
    this.shown = shown;
  }

  /** Returns whether everything that can be seen is known to be firm. */
  public boolean isFirm() {
    return shown.isPresent() ? data.firmness().isFirm(shown.get()) : data.firmness().isFirm();
  }

  /**
   * Returns a position up to which everything seen was logged; empty if the copy's data was
   * replaced. An update that is being applied is waited for, since it may be refused.
   */
  public Optional<Position> seen() {
    state.lock();
    try {
      return state.isTrusted(data) ? Optional.of(data.position()) : Optional.empty();
    } finally {
      state.unlock();
    }
  }

  /** Notes that everything up to a position is firm. */
  public void firm(Position position) {
    data.firmness().firm(position);
  }
}
