package io.uniserve.runtime.server.replica;

import io.uniserve.api.Actor;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The part of one replica in a split or a merge. It is made ready, stops, and accepts nothing until
 * the next epoch, in which it has fewer keys or as many as before. All happens under the replica's
 * lock.
 */
public final class ReplicaSplit {
  private final ReplicaTarget target;
  private final EngineActors actors;
  private final ReentrantLock lock;
  private final ReentrantLock checkpointing;
  private final EpochFence fence;
  private final Supplier<Optional<ReplicaData>> held;
  private final IntSupplier due;

  /**
   * @param lock the replica's, under which its data changes
   * @param checkpointing held by a thread that deletes the replica's files; taken before the lock
   * @param held returns its data, if it can be trusted
   * @param due returns the generation of the actor's keys in cluster state
   */
  ReplicaSplit(
      ReplicaTarget target,
      EngineActors actors,
      ReentrantLock lock,
      ReentrantLock checkpointing,
      EpochFence fence,
      Supplier<Optional<ReplicaData>> held,
      IntSupplier due) {
    this.target = target;
    this.actors = actors;
    this.lock = lock;
    this.checkpointing = checkpointing;
    this.fence = fence;
    this.held = held;
    this.due = due;
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
    lock.lock();
    try {
      ReplicaData data = held.get().orElseThrow(() -> notLed(epoch));
      boolean leads = fence.role().equals(new Role.Leading(epoch));
      boolean unsettled = data.open().isPresent() || data.generation() < due.getAsInt();
      if (leads && unsettled) {
        return Optional.empty();
      }
      if (!fence.handOver(epoch)) {
        throw notLed(epoch);
      }
      return Optional.of(data.position());
    } finally {
      lock.unlock();
    }
  }

  private UniserveException notLed(long epoch) {
    return new UniserveException(
        ErrorCode.STALE_ROUTING, target + " is not led here in epoch " + epoch);
  }

  /**
   * Promises to accept nothing below the next epoch, if it has stopped at a position in an epoch.
   *
   * @return whether the promise is given
   */
  public boolean fence(long epoch, Position at, long next) {
    lock.lock();
    try {
      boolean done = stands(epoch, at);
      if (done) {
        fence.seal(next);
      }
      return done;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns whether the replica is at this position and, as far as it knows, stays there. Either it
   * leads in this epoch and has stopped, or it follows and has everything that its primary took
   * before.
   */
  public boolean stands(long epoch, Position at) {
    lock.lock();
    try {
      boolean still = fence.handsOver(epoch) || fence.role().equals(new Role.Following(epoch));
      return still && held.get().filter(data -> data.position().equals(at)).isPresent();
    } finally {
      lock.unlock();
    }
  }

  /** Takes updates again, if it still leads an epoch and has stopped. */
  public void resume(long epoch) {
    lock.lock();
    try {
      fence.keep(epoch);
    } finally {
      lock.unlock();
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
    checkpointing.lock();
    try {
      if (isAt(whole.position())) {
        makeReadyHere(whole, partitioner, generation);
      }
    } finally {
      checkpointing.unlock();
    }
  }

  /**
   * Returns whether the replica is open at a position. After it is closed its files are deleted,
   * and no directory may appear again.
   */
  private boolean isAt(Position position) {
    lock.lock();
    try {
      return held.get().filter(now -> now.position().equals(position)).isPresent();
    } finally {
      lock.unlock();
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
    lock.lock();
    try {
      Optional<ReplicaData> data = held.get().filter(now -> now.position().equals(at));
      data.ifPresent(now -> now.makeReady(half, partitioner, generation));
      return data.isPresent();
    } finally {
      lock.unlock();
    }
  }

  /** Drops the actor that was made ready for a split. */
  public void forgetHalf() {
    lock.lock();
    try {
      held.get().ifPresent(ReplicaData::forgetHalf);
    } finally {
      lock.unlock();
    }
  }

  /** Returns a key with about half of the actor's records before it. */
  public Optional<PartitionKey> middle() {
    Optional<Shared<Actor>> live = held.get().map(ReplicaData::live).filter(Shared::acquire);
    try {
      return live.flatMap(actors::middle);
    } finally {
      live.ifPresent(Shared::release);
    }
  }
}
