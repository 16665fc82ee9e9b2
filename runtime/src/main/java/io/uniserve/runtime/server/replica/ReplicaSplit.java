package io.uniserve.runtime.server.replica;

import io.uniserve.api.Actor;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.actor.EngineActors;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.util.Optional;

/**
 * The part of one replica in a split or a merge. It is made ready, stops, and accepts nothing until
 * the next epoch, in which it has fewer keys or as many as before. All happens under the replica's
 * lock.
 */
public final class ReplicaSplit {
  private final ReplicaState state;
  private final EngineActors actors;

  ReplicaSplit(ReplicaState state, EngineActors actors) {
    this.state = state;
    this.actors = actors;
  }

  /**
   * Stops accepting updates in an epoch that it leads. It does not stop if it has prepared a
   * transaction whose outcome it does not know, or has yet to drop the keys that splits have given
   * to other actors.
   *
   * @return the position that no update comes after; empty if it cannot stop yet
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} if it leads no such epoch
   */
  public Optional<Position> stop(long epoch) {
    state.lock();
    try {
      ReplicaData data = state.trusted().orElseThrow(() -> notLed(epoch));
      boolean leads = state.fence().role().equals(new Role.Leading(epoch));
      boolean unsettled = data.open().isPresent() || data.generation() < state.due();
      if (leads && unsettled) {
        return Optional.empty();
      }
      if (!state.fence().handOver(epoch)) {
        throw notLed(epoch);
      }
      return Optional.of(data.position());
    } finally {
      state.unlock();
    }
  }

  private UniserveException notLed(long epoch) {
    return new UniserveException(
        ErrorCode.STALE_ROUTING, state.target() + " is not led here in epoch " + epoch);
  }

  /**
   * Promises to accept nothing below the next epoch, if it has stopped at a position in an epoch.
   *
   * @return true if the promise is given
   */
  public boolean fence(long epoch, Position at, long next) {
    state.lock();
    try {
      boolean done = stands(epoch, at);
      if (done) {
        state.fence().seal(next);
      }
      return done;
    } finally {
      state.unlock();
    }
  }

  /**
   * Returns whether the replica is at this position and, as far as it knows, stays there. Either it
   * leads in this epoch and has stopped, or it follows and has everything that its primary took
   * before.
   */
  public boolean stands(long epoch, Position at) {
    state.lock();
    try {
      boolean still =
          state.fence().handsOver(epoch) || state.fence().role().equals(new Role.Following(epoch));
      return still && state.isAt(at);
    } finally {
      state.unlock();
    }
  }

  /** Takes updates again, if it still leads an epoch and has stopped. */
  public void resume(long epoch) {
    state.lock();
    try {
      state.fence().keep(epoch);
    } finally {
      state.unlock();
    }
  }

  /**
   * Makes the smaller actor ready that this one becomes if it is split before the next update. The
   * split itself takes no time then.
   *
   * @param whole the actor as of a position
   */
  public void makeReady(Checkpoint whole, Partitioner partitioner, int generation)
      throws IOException {
    state.filesLock().lock();
    try {
      if (isAt(whole.position())) {
        makeReadyHere(whole, partitioner, generation);
      }
    } finally {
      state.filesLock().unlock();
    }
  }

  /**
   * Returns whether the replica is open at a position. After it is closed its files are deleted,
   * and no directory may appear again.
   */
  private boolean isAt(Position position) {
    state.lock();
    try {
      return state.isAt(position);
    } finally {
      state.unlock();
    }
  }

  private void makeReadyHere(Checkpoint whole, Partitioner partitioner, int generation)
      throws IOException {
    Shared<Actor> half = actors.open(whole);
    boolean taken = false;
    try {
      actors.retain(half, partitioner);
      taken = take(half, whole.position(), partitioner, generation);
    } finally {
      if (!taken) {
        half.retire();
      }
    }
  }

  private boolean take(Shared<Actor> half, Position at, Partitioner partitioner, int generation) {
    state.lock();
    try {
      Optional<ReplicaData> data = state.trusted().filter(now -> now.position().equals(at));
      data.ifPresent(now -> now.makeReady(half, partitioner, generation));
      return data.isPresent();
    } finally {
      state.unlock();
    }
  }

  /** Drops the actor that was made ready for a split. */
  public void forgetHalf() {
    state.lock();
    try {
      state.trusted().ifPresent(ReplicaData::forgetHalf);
    } finally {
      state.unlock();
    }
  }

  /** Returns a key with about half of the actor's records before it. */
  public Optional<PartitionKey> middle() {
    Optional<Shared<Actor>> live = state.trusted().map(ReplicaData::live).filter(Shared::acquire);
    try {
      return live.flatMap(actors::middle);
    } finally {
      live.ifPresent(Shared::release);
    }
  }
}
