package io.uniserve.runtime.server;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Whether a replica is read, and what of it. Operators, and whoever asks, never take the replica's
 * lock; whether it is read changes under it.
 */
final class ReplicaReads {
  private final EngineActors actors;
  private final ReentrantLock lock;
  private final Reign reign;
  private final Supplier<Optional<ReplicaData>> open;
  private final Supplier<Optional<ReplicaData>> held;
  private final Runnable breakDown;
  private volatile boolean readable;

  /** What is read is of this generation, or of a later one. */
  private volatile int due;

  /**
   * @param lock the replica's, under which its data changes
   * @param open its data, while it is open
   * @param held its data, if it can be trusted
   * @param breakDown called when it cannot be trusted any more
   */
  ReplicaReads(
      EngineActors actors,
      ReentrantLock lock,
      Reign reign,
      Supplier<Optional<ReplicaData>> open,
      Supplier<Optional<ReplicaData>> held,
      Runnable breakDown) {
    this.actors = actors;
    this.lock = lock;
    this.reign = reign;
    this.open = open;
    this.held = held;
    this.breakDown = breakDown;
  }

  /** Whether it is read, as of some generation. */
  boolean readable() {
    return readable;
  }

  /** What is read is of this generation of the actor's keys, or of a later one. */
  int due() {
    return due;
  }

  /** From now on it is read as of this generation at least: the actor was split. */
  void due(int generation) {
    due = generation;
  }

  /**
   * The actor, for an operator, who releases it. Empty if the replica must not be read, or has
   * other keys.
   */
  Optional<LiveActor> acquire(int generation) {
    return dataToRead(generation).flatMap(data -> data.of(generation)).filter(LiveActor::acquire);
  }

  /**
   * The actor as of a version, for an operator, who releases it. Empty if the replica must not be
   * read, has other keys, or has not kept that version.
   */
  Optional<LiveActor> acquire(int generation, long version) {
    return dataToRead(generation).flatMap(data -> data.of(generation, version));
  }

  private Optional<ReplicaData> dataToRead(int generation) {
    Optional<ReplicaData> now = open.get();
    return readable && generation >= due ? now : Optional.empty();
  }

  /** Whether it is read, as of a generation. */
  boolean isRead(int generation) {
    return readable && generation >= due && answers(generation);
  }

  /** Whether what an operator saw of a generation is all of it. */
  boolean answers(int generation) {
    return open.get().flatMap(data -> data.of(generation)).isPresent();
  }

  /** The actor at points in time; empty if the replica must not be read. */
  Optional<Versions> versions() {
    return open.get().filter(data -> readable).map(ReplicaData::versions);
  }

  /**
   * It is read from now on, with all that was applied; for whoever holds the lock and the data.
   *
   * @throws EngineFailure if what was applied cannot be made visible
   */
  void begin(ReplicaData data) {
    if (!readable) {
      try {
        actors.refresh(data.live());
      } catch (EngineFailure e) {
        breakDown.run();
        throw e;
      }
      readable = true;
    }
  }

  /** It is not read any more; for whoever holds the lock. */
  void end() {
    readable = false;
  }

  /**
   * It is not read any more, if it still is to retire when nothing can change.
   *
   * @return whether it was
   */
  boolean retire(BooleanSupplier still) {
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
   * The replica has been level with its primary: it may be read, unless something is prepared whose
   * outcome it does not know, since that may have been seen elsewhere before this server went down.
   *
   * @param wanted whether it is to be read at all, asked while nothing can change
   * @return whether it may be read
   * @throws EngineFailure if what was applied cannot be made visible
   */
  boolean caughtUp(BooleanSupplier wanted) {
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
   * The replica knows what has become of the last transaction: as a primary, it may be read.
   *
   * @throws EngineFailure if what was applied cannot be made visible
   */
  void concluded() {
    lock.lock();
    try {
      if (reign.role() instanceof Role.Leading) {
        caughtUp(() -> true);
      }
    } finally {
      lock.unlock();
    }
  }
}
