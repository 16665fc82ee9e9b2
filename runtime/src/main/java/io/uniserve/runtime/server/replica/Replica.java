package io.uniserve.runtime.server.replica;

import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.server.engine.EngineThreads;
import io.uniserve.runtime.wire.ReplicationMessage.Sealed;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * This server's copy of one actor. It applies updates in order, and can be opened, replaced,
 * checkpointed and fenced. It knows nothing of other servers. Every change happens under one lock,
 * so updates have one order. Operators and readers of its status never take the lock.
 */
public final class Replica {
  private final ReplicaTarget target;
  private final ReplicaFiles files;
  private final EngineActors actors;
  private final ReplicaOpening opening;
  private final ReplicaCounters counters = new ReplicaCounters();
  private final ReentrantLock lock = new ReentrantLock();
  private final ReplicaCheckpoints checkpoints;
  private final ReplicaUpdates updates;
  private final ReplicaOrder order;
  private final EpochFence fence;
  private final ReplicaSplit split;
  private final ReplicaReads reads;
  private boolean closed;

  /** Null while the replica is not open. */
  private volatile ReplicaData data;

  private volatile boolean broken;

  /** True if some of the readable log may not be on the disk. */
  private boolean doubted;

  /** True if only a part of the data is loaded yet, which nobody may rely on. */
  private volatile boolean loading;

  /** True if this server's disk was looked at, and has nothing that could be opened. */
  private volatile boolean absent;

  /** True if the replica is absent because its files are damaged. */
  private volatile boolean damaged;

  public Replica(
      ReplicaTarget target,
      Engines engines,
      EngineThreads engineThreads,
      Environment environment,
      Path directory)
      throws IOException {
    this.target = target;
    this.fence = new EpochFence(target);
    this.files = new ReplicaFiles(environment.storage(), directory);
    this.loading = files.isLoading();
    this.actors = new EngineActors(target, engines, engineThreads, files);
    this.reads =
        new ReplicaReads(
            actors, lock, fence, () -> Optional.ofNullable(data), this::trusted, this::breakDown);
    this.checkpoints =
        new ReplicaCheckpoints(
            target, environment.clock(), files, lock, this::trusted, this::breakDown);
    this.updates =
        new ReplicaUpdates(
            target,
            environment.clock(),
            actors,
            counters,
            lock,
            fence,
            this::trusted,
            reads::due,
            this::breakDown);
    this.order = new ReplicaOrder(actors, lock, fence, updates);
    this.split =
        new ReplicaSplit(
            target, actors, lock, checkpoints.checkpointing(), fence, this::trusted, reads::due);
    this.opening = new ReplicaOpening(environment.storage(), files, actors, engines.logEntries());
  }

  public ReplicaTarget target() {
    return target;
  }

  public ReplicaCounters counters() {
    return counters;
  }

  public ReplicaFiles files() {
    return files;
  }

  public ReplicaCheckpoints checkpoints() {
    return checkpoints;
  }

  private Optional<ReplicaData> trusted() {
    return broken ? Optional.empty() : Optional.ofNullable(data);
  }

  /** Returns whether all of the actor's data is here and can be trusted. */
  public boolean held() {
    return !loading && trusted().isPresent();
  }

  /** Returns whether a part of the data is here, to which the rest can be loaded. */
  public boolean partlyHeld() {
    return loading && trusted().isPresent();
  }

  /** Begins a load: the replica's data is incomplete until {@link #endLoading}. */
  public void beginLoading() throws IOException {
    loading = true;
    files.beginLoading();
  }

  /** Ends a load: the data is complete. */
  public void endLoading() throws IOException {
    files.endLoading();
    loading = false;
  }

  /** Returns whether a load has begun and not ended. */
  public boolean isLoading() {
    return loading;
  }

  /**
   * Returns whether it is known what this server has of the actor, even if that is nothing. It is
   * unknown while the disk has not been looked at yet, after engine code failed, and while the
   * files cannot be opened for want of room.
   */
  public boolean known() {
    return held() || absent;
  }

  /** Notes that this server's disk has nothing that could be opened. */
  public void foundAbsent() {
    absent = true;
  }

  /** Notes that this server's disk has damaged files, and nothing that could be opened. */
  public void foundDamaged() {
    damaged = true;
    absent = true;
  }

  /**
   * Returns whether engine code failed in a way that leaves the actor in doubt, or the actor itself
   * says so.
   */
  public boolean foundBroken() {
    ReplicaData now = data;
    if (!broken && now != null && now.live().value().failed()) {
      lock.lock();
      try {
        if (now == data) {
          breakDown();
        }
      } finally {
        lock.unlock();
      }
    }
    return broken;
  }

  /** Returns the transaction that is prepared here and not decided. */
  public Optional<OpenTransaction> undecided() {
    ReplicaData now = data;
    return now == null ? Optional.empty() : now.open();
  }

  /** Returns the position of the last update applied. */
  public Position position() {
    ReplicaData now = data;
    return now == null ? Position.START : now.position();
  }

  public Role role() {
    return fence.role();
  }

  /** Returns the role as a word for people. */
  public String statusWord() {
    if (broken) {
      return "failed";
    }
    if (damaged) {
      return "damaged";
    }
    return switch (fence.role()) {
      case Role.Leading leading -> "primary";
      case Role.HandingOver leaving -> "primary";
      case Role.Following following -> reads.readable() ? "follower" : "loading";
      case Role.Idle idle -> "loading";
    };
  }

  /** Returns the space that the actor occupies; {@link Usage#NONE} while it is not open. */
  public Usage usage() {
    ReplicaData now = data;
    if (now == null || !now.live().acquire()) {
      return Usage.NONE;
    }
    try {
      return actors.usage(now.live());
    } finally {
      now.live().release();
    }
  }

  /**
   * Returns the generation of the actor's keys; {@link ReplicaData#NONE} while it is not open, or
   * being split.
   */
  public int generation() {
    ReplicaData now = data;
    return now == null ? ReplicaData.NONE : now.generation();
  }

  /**
   * Returns the time of the last update applied, in milliseconds since 1970; 0 while the replica is
   * not open.
   */
  public long timeMillis() {
    ReplicaData now = data;
    return now == null ? 0 : now.timeMillis();
  }

  /**
   * Creates the actor, new and empty.
   *
   * @param generation of its keys
   */
  public void create(int generation) throws IOException {
    lock.lock();
    try {
      requireNotClosed();
      hold(opening.create(generation));
    } finally {
      lock.unlock();
    }
  }

  private void hold(ReplicaData opened) {
    data = opened;
    absent = false;
    damaged = false;
  }

  /** A way to make an actor of others. */
  @FunctionalInterface
  public interface Making {
    ReplicaData with(ReplicaOpening opening) throws IOException;
  }

  /**
   * Makes the actor of others.
   *
   * @return its first checkpoint
   */
  public Checkpoint make(Making making) throws IOException {
    lock.lock();
    try {
      requireNotClosed();
      hold(making.with(opening));
      return files.newest().orElseThrow();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Opens this server's files: the newest checkpoint and the log after it. Returns false if there
   * are none.
   */
  public boolean open() throws IOException {
    lock.lock();
    try {
      requireNotClosed();
      Optional<Checkpoint> newest = files.newest();
      if (newest.isPresent()) {
        hold(opening.open(newest.get(), doubted));
        doubted = false;
      }
      return newest.isPresent();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Replaces all data of the replica by a checkpoint from elsewhere. Operators go on with the
   * former actor meanwhile.
   *
   * @param begun a directory from {@link ReplicaFiles#begin}
   * @param placing makes it the replica's checkpoint
   */
  public void install(Path begun, ReplicaFiles.Placing placing) throws IOException {
    checkpoints.checkpointing().lock();
    lock.lock();
    try {
      requireNotClosed();
      install(begun, placing, Optional.ofNullable(data));
      broken = false;
    } finally {
      lock.unlock();
      checkpoints.checkpointing().unlock();
    }
  }

  /**
   * Replaces the data. The new data may be older than what was read here before, so reads stop
   * until the replica is level again.
   */
  private void install(Path begun, ReplicaFiles.Placing placing, Optional<ReplicaData> former)
      throws IOException {
    reads.end();
    try {
      former.ifPresent(ReplicaData::closeLog);
      hold(opening.open(placing.place(begun), false));
    } catch (IOException | RuntimeException e) {
      // The former files are gone, so the data that is still open no longer counts as the
      // replica's.
      breakDown();
      throw e;
    }
    former.ifPresent(ReplicaData::close);
  }

  /** Returns the replica's reads. */
  public ReplicaReads reads() {
    return reads;
  }

  /** Returns the replica's part in splits. */
  public ReplicaSplit split() {
    return split;
  }

  /** Returns the changes of the actor, as its primary or as a follower. */
  public ReplicaUpdates updates() {
    return updates;
  }

  /** Returns the ordered updates that the replica applies as its primary. */
  public ReplicaOrder order() {
    return order;
  }

  private void breakDown() {
    ReplicaData now = data;
    doubted |= now != null && now.logUnusable();
    broken = true;
    reads.end();
    fence.end();
  }

  /** Stops using the data, which cannot be trusted. */
  public void giveUp() {
    lock.lock();
    try {
      breakDown();
    } finally {
      lock.unlock();
    }
  }

  /** Closes an actor in doubt, so that it can be opened or fetched again. */
  public void reset() {
    lock.lock();
    try {
      breakDown();
      closeData();
      broken = false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Promises to accept nothing of an epoch below this one.
   *
   * @return what the replica has then; empty if that is not {@linkplain #known known}
   */
  public Optional<Sealed> seal(long epoch) {
    lock.lock();
    try {
      fence.seal(epoch);
      return known() ? Optional.of(new Sealed(held(), position())) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Becomes the primary of an epoch; returns false if the replica may not.
   *
   * @param current tells whether the assignment still holds; asked under the replica's lock
   */
  public boolean lead(long epoch, BooleanSupplier current) {
    return take(epoch, new Role.Leading(epoch), current);
  }

  /** Follows the primary of an epoch; returns false if the replica may not. */
  public boolean follow(long epoch, BooleanSupplier current) {
    return take(epoch, new Role.Following(epoch), current);
  }

  private boolean take(long epoch, Role wanted, BooleanSupplier current) {
    lock.lock();
    try {
      boolean taken = held() && current.getAsBoolean() && fence.take(epoch, wanted);
      if (taken && wanted instanceof Role.Leading && undecided().isEmpty()) {
        reads.begin(data);
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stops accepting updates in an epoch that it leads, so that another copy can catch up.
   *
   * @return the position that no update comes after; empty if it leads no such epoch
   */
  public Optional<Position> beginHandOver(long epoch) {
    lock.lock();
    try {
      return fence.handOver(epoch) ? Optional.of(data.position()) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a hand-over. If another copy is level, promises to accept nothing below the next epoch;
   * otherwise continues to lead.
   *
   * @param at what {@link #beginHandOver} returned
   * @return whether the promise is given
   */
  public boolean endHandOver(long epoch, Position at, boolean level, long next) {
    lock.lock();
    try {
      boolean done = level && fence.handsOver(epoch) && data.position().equals(at);
      if (done) {
        fence.seal(next);
      } else {
        fence.keep(epoch);
      }
      return done;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives up the role, and answers no reads until the next role is assigned. Primaries have not
   * waited for this replica since its server was given up.
   */
  public void stepDown() {
    lock.lock();
    try {
      fence.end();
      reads.end();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the replica for good. A thread that still works for it opens nothing any more. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      breakDown();
      closeData();
    } finally {
      lock.unlock();
    }
  }

  private void requireNotClosed() {
    if (closed) {
      throw new UniserveException(ErrorCode.CANCELLED, target + " is closed on this server");
    }
  }

  private void closeData() {
    ReplicaData former = data;
    data = null;
    if (former != null) {
      former.close();
    }
  }
}
