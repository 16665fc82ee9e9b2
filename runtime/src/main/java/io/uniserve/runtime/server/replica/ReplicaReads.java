package io.uniserve.runtime.server.replica;

import io.uniserve.api.Actor;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.engine.Shared;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The reads of one replica. Operators and readers of its status never take the replica's lock;
 * whether it is readable changes under the lock.
 */
public final class ReplicaReads {
  private final EngineActors actors;
  private final ReentrantLock lock;
  private final EpochFence fence;
  private final Supplier<Optional<ReplicaData>> open;
  private final Supplier<Optional<ReplicaData>> held;
  private final Runnable breakDown;
  private volatile boolean readable;

  /** The oldest generation of the actor's keys that may be read. */
  private volatile int due;

  /**
   * @param lock the replica's, under which its data changes
   * @param open returns its data, while it is open
   * @param held returns its data, if it can be trusted
   * @param breakDown called when the data cannot be trusted any more
   */
  ReplicaReads(
      EngineActors actors,
      ReentrantLock lock,
      EpochFence fence,
      Supplier<Optional<ReplicaData>> open,
      Supplier<Optional<ReplicaData>> held,
      Runnable breakDown) {
    this.actors = actors;
    this.lock = lock;
    this.fence = fence;
    this.open = open;
    this.held = held;
    this.breakDown = breakDown;
  }

  /** Returns whether the replica is readable, at some generation. */
  boolean readable() {
    return readable;
  }

  /** Returns the oldest generation of the actor's keys that may be read. */
  public int due() {
    return due;
  }

  /** Sets the oldest generation that may be read, since the actor was split. */
  public void due(int generation) {
    due = generation;
  }

  /**
   * Returns the actor for an operator, who releases it; empty if the replica must not be read, or
   * has other keys.
   */
  public Optional<Shared<Actor>> acquire(int generation) {
    return dataToRead(generation).flatMap(data -> data.of(generation)).filter(Shared::acquire);
  }

  /**
   * Returns the actor as of a version for an operator, who releases it; empty if the replica must
   * not be read, has other keys, or has not kept that version.
   */
  public Optional<Shared<Actor>> acquire(int generation, long version) {
    return dataToRead(generation).flatMap(data -> data.of(generation, version));
  }

  private Optional<ReplicaData> dataToRead(int generation) {
    Optional<ReplicaData> now = open.get();
    return readable && generation >= due ? now : Optional.empty();
  }

  /** Returns whether the replica is readable at a generation. */
  public boolean isRead(int generation) {
    return readable && generation >= due && answers(generation);
  }

  /** Returns whether an operator of a generation has seen all of its keys. */
  public boolean answers(int generation) {
    return open.get().flatMap(data -> data.of(generation)).isPresent();
  }

  /** Returns the actor's versions; empty if the replica must not be read. */
  public Optional<Versions> versions() {
    return open.get().filter(data -> readable).map(ReplicaData::versions);
  }

  /**
   * Makes the replica readable, with all that was applied. The caller holds the lock.
   *
   * @throws EngineFailedException if what was applied cannot be made visible
   */
  void begin(ReplicaData data) {
    if (!readable) {
      try {
        actors.refresh(data.live());
      } catch (EngineFailedException e) {
        breakDown.run();
        throw e;
      }
      readable = true;
    }
  }

  /** Makes the replica unreadable. The caller holds the lock. */
  void end() {
    readable = false;
  }

  /**
   * Makes the replica unreadable if it is still to retire.
   *
   * @param still asked under the replica's lock
   * @return whether it was
   */
  public boolean retire(BooleanSupplier still) {
    lock.lock();
    try {
      boolean retired = still.getAsBoolean();
      readable &= !retired;
      return retired;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes the replica readable, since it has been level with its primary. It does not if a
   * transaction is prepared whose outcome is unknown here, since that outcome may have been seen
   * elsewhere before this server went down.
   *
   * @param wanted tells whether it is to be read at all; asked under the replica's lock
   * @return whether it may be read
   * @throws EngineFailedException if what was applied cannot be made visible
   */
  public boolean caughtUp(BooleanSupplier wanted) {
    if (readable) {
      return true;
    }
    lock.lock();
    try {
      held.get()
          .filter(data -> data.open().isEmpty() && wanted.getAsBoolean())
          .ifPresent(this::begin);
      return readable;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes a primary readable, since it knows the outcome of the last transaction.
   *
   * @throws EngineFailedException if what was applied cannot be made visible
   */
  public void concluded() {
    lock.lock();
    try {
      if (fence.role() instanceof Role.Leading) {
        caughtUp(() -> true);
      }
    } finally {
      lock.unlock();
    }
  }
}
