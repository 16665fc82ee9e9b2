package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.api.Usage;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.LogEntryCodec;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * This server's copy of one actor: applies updates in order, and can be opened, replaced,
 * checkpointed and fenced. It knows nothing of other servers. Every change happens under one lock,
 * so updates have one order; operators, and whoever asks how the replica is, never take it.
 */
final class Replica {
  private final ReplicaTarget target;
  private final Clock clock;
  private final ReplicaFiles files;
  private final EngineActors actors;
  private final ReplicaOpening opening;
  private final ReplicaCounters counters = new ReplicaCounters();
  private final ReentrantLock lock = new ReentrantLock();
  private final ReplicaCheckpoints checkpoints;
  private final Reign reign;
  private boolean closed;

  /** Null while the replica is not open. */
  private volatile ReplicaData data;

  private volatile boolean broken;
  private volatile boolean readable;

  Replica(
      ReplicaTarget target,
      Engines engines,
      EngineThreads engineThreads,
      Environment environment,
      Path directory)
      throws IOException {
    this.target = target;
    this.clock = environment.clock();
    this.reign = new Reign(target);
    this.files = new ReplicaFiles(environment.storage(), directory);
    this.actors = new EngineActors(target, engines, engineThreads, files);
    this.checkpoints = new ReplicaCheckpoints(target, files, lock, this::trusted);
    this.opening =
        new ReplicaOpening(environment.storage(), files, actors, new LogEntryCodec(engines));
  }

  ReplicaTarget target() {
    return target;
  }

  ReplicaCounters counters() {
    return counters;
  }

  ReplicaFiles files() {
    return files;
  }

  ReplicaCheckpoints checkpoints() {
    return checkpoints;
  }

  private Optional<ReplicaData> trusted() {
    return broken ? Optional.empty() : Optional.ofNullable(data);
  }

  /** Whether the actor's data is here and can be trusted. */
  boolean held() {
    return trusted().isPresent();
  }

  /** Whether engine code failed in a way that leaves the actor in doubt. */
  boolean broken() {
    return broken;
  }

  /** Of the last update applied. */
  Position position() {
    ReplicaData now = data;
    return now == null ? Position.START : now.position();
  }

  Role role() {
    return reign.role();
  }

  /** The role in a word, for people. */
  String statusWord() {
    if (broken) {
      return "failed";
    }
    return switch (reign.role()) {
      case Role.Leading leading -> "primary";
      case Role.Following following -> readable ? "follower" : "loading";
      case Role.Idle idle -> "loading";
    };
  }

  /** What the actor occupies; nothing while it is not open. */
  Usage usage() {
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

  /** The actor, for an operator, who releases it. Empty if the replica must not be read. */
  Optional<LiveActor> acquire() {
    ReplicaData now = data;
    return readable && now != null && now.live().acquire()
        ? Optional.of(now.live())
        : Optional.empty();
  }

  /** Makes the actor new and empty. */
  void create() throws IOException {
    lock.lock();
    try {
      requireNotClosed();
      data = opening.create();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Opens what this server's disk has: the newest checkpoint and the log after it. False if it has
   * none.
   */
  boolean open() throws IOException {
    lock.lock();
    try {
      requireNotClosed();
      Optional<Checkpoint> newest = files.newest();
      if (newest.isPresent()) {
        data = opening.open(newest.get());
      }
      return newest.isPresent();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts a checkpoint from elsewhere in the place of all that is here. Operators go on with the
   * former actor meanwhile.
   *
   * @param begun a directory from {@link ReplicaFiles#begin}
   * @param placing how it becomes the replica's checkpoint
   */
  void install(Path begun, ReplicaFiles.Placing placing) throws IOException {
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

  private void install(Path begun, ReplicaFiles.Placing placing, Optional<ReplicaData> former)
      throws IOException {
    try {
      former.ifPresent(ReplicaData::closeLog);
      data = opening.open(placing.place(begun));
    } catch (IOException | RuntimeException e) {
      // The former files are gone: what is still open must not be taken for the replica's data.
      breakDown();
      throw e;
    }
    former.ifPresent(ReplicaData::close);
  }

  /**
   * Applies an update as the primary: appended, applied, then visible to followers.
   *
   * @return its position, or the former one if its key was seen before
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} if this replica does not lead;
   *     the engine's refusal, after which nothing has changed
   */
  Position update(String key, Payload function, Payload records) {
    actors.check(function, records);
    lock.lock();
    try {
      long epoch = reign.requireLeading();
      Optional<Position> known = data.positionOf(key);
      return known.isPresent() ? known.get() : append(epoch, key, function, records);
    } finally {
      lock.unlock();
    }
  }

  private Position append(long epoch, String key, Payload function, Payload records) {
    Position next = new Position(epoch, data.position().sequence() + 1);
    long timeMillis = Math.max(clock.now().toEpochMilli(), data.timeMillis());
    LogEntry entry = new LogEntry(next, timeMillis, key, function, records);
    data.append(entry);
    try {
      apply(entry);
      return next;
    } catch (UniserveException e) {
      takeBack();
      throw e;
    }
  }

  private void takeBack() {
    try {
      data.takeBack();
    } catch (IOException e) {
      breakDown();
      throw new EngineFailure("log of " + target, e);
    }
  }

  /**
   * Applies what the primary of an epoch sent, in its order. Nothing is applied if this replica
   * follows another.
   *
   * @throws EngineFailure if the engine fails, or refuses what it accepted at the primary
   */
  void applyReplicated(long epoch, List<LogEntry> entries) {
    lock.lock();
    try {
      for (LogEntry entry : entries) {
        reign.requireFollowing(epoch);
        data.append(entry);
        applyLikePrimary(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Applies what the durable store has, in its order, before this replica leads or follows. Fails
   * as {@link #applyReplicated} does.
   */
  void applyStored(List<LogEntry> entries) {
    lock.lock();
    try {
      for (LogEntry entry : entries) {
        reign.requireIdle();
        data.append(entry);
        applyLikePrimary(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  private void applyLikePrimary(LogEntry entry) {
    try {
      apply(entry);
    } catch (EngineFailure e) {
      throw e;
    } catch (UniserveException e) {
      takeBack();
      breakDown();
      throw new EngineFailure("update of " + target + ", which the primary applied,", e);
    }
  }

  private void apply(LogEntry entry) {
    try {
      data.apply(entry);
      counters.updated();
    } catch (EngineFailure e) {
      breakDown();
      throw e;
    }
  }

  private void breakDown() {
    broken = true;
    readable = false;
    reign.end();
  }

  /** Forgets an actor in doubt, so that it can be opened or fetched again. */
  void reset() {
    lock.lock();
    try {
      breakDown();
      closeData();
      broken = false;
    } finally {
      lock.unlock();
    }
  }

  /** What a follower at a position needs next; empty if it must load a checkpoint. */
  Optional<List<LogEntry>> after(long epoch, Position from, int bytesMax) throws IOException {
    lock.lock();
    try {
      reign.requireLeading(epoch);
      return data.after(from, bytesMax);
    } finally {
      lock.unlock();
    }
  }

  /** Promises to accept nothing of an epoch below this one. */
  void seal(long epoch) {
    lock.lock();
    try {
      reign.seal(epoch);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Becomes the primary of an epoch; false if the replica may not.
   *
   * @param current whether what assigns the role still holds, asked while nothing can change
   */
  boolean lead(long epoch, BooleanSupplier current) {
    return take(epoch, new Role.Leading(epoch), current);
  }

  /** Follows the primary of an epoch; false if the replica may not. */
  boolean follow(long epoch, BooleanSupplier current) {
    return take(epoch, new Role.Following(epoch), current);
  }

  private boolean take(long epoch, Role wanted, BooleanSupplier current) {
    lock.lock();
    try {
      boolean taken = held() && current.getAsBoolean() && reign.take(epoch, wanted);
      readable = readable || taken && wanted instanceof Role.Leading;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Applies nothing until it is told its role again. */
  void stepDown() {
    lock.lock();
    try {
      reign.end();
    } finally {
      lock.unlock();
    }
  }

  /** The replica has been level with its primary: it may be read. */
  void caughtUp() {
    readable = true;
  }

  /** For ever: whoever still works for this replica opens nothing any more. */
  void close() {
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
