package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.actor.ReplicaTarget;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.wire.entry.Position;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The state that all parts of one replica share: its data, its role, whether it may be read, and
 * the lock under which these change. Any thread may read them without the lock, but then they may
 * change at any moment.
 */
final class ReplicaState {
  private final ReplicaTarget target;
  private final EpochFence fence;
  private final ReentrantLock lock = new ReentrantLock();

  /** Held while the replica's files are made, replaced or deleted; taken before the lock. */
  private final ReentrantLock filesLock = new ReentrantLock();

  /** Null while the replica is not open. */
  private volatile ReplicaData data;

  /** True if the data cannot be trusted. */
  private volatile boolean broken;

  /** True if some of the readable log may not be on the disk. */
  private boolean doubted;

  private volatile boolean readable;
  private volatile int due;

  ReplicaState(ReplicaTarget target) {
    this.target = target;
    this.fence = new EpochFence(target);
  }

  ReplicaTarget target() {
    return target;
  }

  /** Returns the role and the promise of the replica. */
  EpochFence fence() {
    return fence;
  }

  /** Takes the lock under which the state changes. */
  void lock() {
    lock.lock();
  }

  /** Takes the lock if nobody has it; returns whether it did. */
  boolean tryLock() {
    return lock.tryLock();
  }

  void unlock() {
    lock.unlock();
  }

  /**
   * Returns the lock that a thread holds while it makes, replaces or deletes the replica's files;
   * it is taken before {@link #lock}.
   */
  ReentrantLock filesLock() {
    return filesLock;
  }

  /** Returns the data, whether it can be trusted or not; empty while the replica is not open. */
  Optional<ReplicaData> opened() {
    return Optional.ofNullable(data);
  }

  /** Returns the data; empty while the replica is not open, or if it cannot be trusted. */
  Optional<ReplicaData> trusted() {
    return broken ? Optional.empty() : Optional.ofNullable(data);
  }

  /**
   * Returns the data, which can be trusted.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} if there is none
   */
  ReplicaData require() {
    return trusted().orElseThrow(this::notOpen);
  }

  UniserveException notOpen() {
    return new UniserveException(ErrorCode.UNAVAILABLE, target + " is not open on this server");
  }

  /** Returns whether this is the data, and can be trusted. */
  boolean isTrusted(ReplicaData known) {
    return trusted().filter(now -> now == known).isPresent();
  }

  /** Returns whether the replica is open at a position. */
  boolean isAt(Position position) {
    return trusted().filter(now -> now.position().equals(position)).isPresent();
  }

  /** Replaces the data. The caller holds the lock and closes the former. */
  void hold(ReplicaData opened) {
    data = opened;
  }

  /** Trusts the data again, since it was replaced or dropped. The caller holds the lock. */
  void trust() {
    broken = false;
  }

  /** Closes the data, if there is any. The caller holds the lock. */
  void close() {
    ReplicaData former = data;
    data = null;
    if (former != null) {
      former.close();
    }
  }

  /** Returns whether the data cannot be trusted. */
  boolean broken() {
    return broken;
  }

  /** Stops using the data, which cannot be trusted. The caller holds the lock. */
  void fail() {
    ReplicaData now = data;
    doubted |= now != null && now.logUnusable();
    broken = true;
    readable = false;
    fence.end();
  }

  /**
   * Stops using the data, since the log could not be read or forced. The caller holds the lock.
   *
   * @return the failure
   */
  EngineFailedException failLog(Exception failure) {
    fail();
    return new EngineFailedException("log of " + target, failure);
  }

  /** Returns whether some of the readable log may not be on the disk. */
  boolean doubted() {
    return doubted;
  }

  /** Notes that all of the log is on the disk again. */
  void settleDoubt() {
    doubted = false;
  }

  /** Returns whether the replica may be read, at some generation. */
  boolean readable() {
    return readable;
  }

  /** Sets whether the replica may be read. The caller holds the lock. */
  void readable(boolean now) {
    readable = now;
  }

  /**
   * Returns the oldest generation of the actor's keys that may be read, as cluster state has it.
   */
  int due() {
    return due;
  }

  /** Sets the oldest generation that may be read. */
  void due(int generation) {
    due = generation;
  }
}
