package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.api.Usage;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.LogEntryCodec;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * This server's copy of one actor: applies updates in order, and can be opened, replaced,
 * checkpointed and fenced. It knows nothing of other servers. Every change happens under one lock,
 * so updates have one order; operators, and whoever asks how the replica is, never take it.
 */
final class Replica {
  private final ReplicaTarget target;
  private final Storage storage;
  private final LogEntryCodec codec;
  private final ReplicaFiles files;
  private final EngineActors actors;
  private final ReplicaCounters counters = new ReplicaCounters();

  /** Held while a checkpoint is made or replaced; taken before the other lock. */
  private final ReentrantLock checkpointing = new ReentrantLock();

  private final ReentrantLock lock = new ReentrantLock();
  private RecentKeys keys = new RecentKeys(Map.of());
  private ReplicaLog log;
  private long promisedEpoch;
  private volatile LiveActor live;
  private volatile Position position = Position.START;
  private volatile Role role = new Role.Idle();
  private volatile boolean broken;
  private volatile boolean readable;

  Replica(
      ReplicaTarget target,
      Engines engines,
      EngineThreads engineThreads,
      Storage storage,
      Path directory)
      throws IOException {
    this.target = target;
    this.storage = storage;
    this.codec = new LogEntryCodec(engines);
    this.files = new ReplicaFiles(storage, directory);
    this.actors = new EngineActors(target, engines, engineThreads, files);
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

  /** Whether the actor's data is here and can be trusted. */
  boolean held() {
    return live != null && !broken;
  }

  /** Whether engine code failed in a way that leaves the actor in doubt. */
  boolean broken() {
    return broken;
  }

  /** Of the last update applied. */
  Position position() {
    return position;
  }

  Role role() {
    return role;
  }

  /** The role in a word, for people. */
  String statusWord() {
    if (broken) {
      return "failed";
    }
    return switch (role) {
      case Role.Leading leading -> "primary";
      case Role.Following following -> readable ? "follower" : "loading";
      case Role.Idle idle -> "loading";
    };
  }

  /** What the actor occupies; nothing while it is not open. */
  Usage usage() {
    LiveActor now = live;
    if (now == null || !now.acquire()) {
      return Usage.NONE;
    }
    try {
      return now.actor().usage();
    } finally {
      now.release();
    }
  }

  /** The actor, for an operator, who releases it. Empty if the replica must not be read. */
  Optional<LiveActor> acquire() {
    LiveActor now = live;
    return readable && now != null && now.acquire() ? Optional.of(now) : Optional.empty();
  }

  /** Makes the actor new and empty. */
  void create() throws IOException {
    lock.lock();
    try {
      use(
          actors.create(),
          ReplicaLog.open(storage, files.log(), codec, Position.START, new ArrayList<>()));
    } finally {
      lock.unlock();
    }
    files.unpin(checkpoint());
  }

  /**
   * Opens what this server's disk has: the newest checkpoint and the log after it. False if it has
   * none.
   */
  boolean open() throws IOException {
    lock.lock();
    try {
      Optional<Checkpoint> newest = files.newest();
      if (newest.isPresent()) {
        open(newest.get());
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
   */
  void install(Path begun) throws IOException {
    checkpointing.lock();
    lock.lock();
    try {
      closeLog();
      open(files.replaceAll(begun));
      broken = false;
    } catch (IOException | RuntimeException e) {
      // The former files are gone: what is still open must not be taken for the replica's data.
      breakDown();
      throw e;
    } finally {
      lock.unlock();
      checkpointing.unlock();
    }
  }

  private void open(Checkpoint checkpoint) throws IOException {
    LiveActor opened = actors.open(checkpoint);
    try {
      keys = new RecentKeys(CheckpointMeta.read(checkpoint.directory()).keys());
      List<LogEntry> entries = new ArrayList<>();
      ReplicaLog opening =
          ReplicaLog.open(storage, files.log(), codec, checkpoint.position(), entries);
      replay(opened, opening, entries);
      use(opened, opening);
    } catch (IOException | RuntimeException e) {
      opened.retire();
      throw e;
    }
  }

  private void replay(LiveActor opened, ReplicaLog opening, List<LogEntry> entries)
      throws IOException {
    Position before = opening.base();
    for (LogEntry entry : entries) {
      try {
        actors.apply(opened, entry);
        keys.add(entry.key(), entry.position());
      } catch (EngineFailure e) {
        throw e;
      } catch (UniserveException e) {
        // A process that died between append and refusal leaves an entry that nobody has seen; it
        // can only be the last.
        if (entry != entries.getLast()) {
          throw e;
        }
        opening.dropLast(before);
      }
      before = entry.position();
    }
  }

  /**
   * Applies an update as the primary: appended, applied, then visible to followers.
   *
   * @return its position, or the former one if its key was seen before
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} if this replica does not lead;
   *     the engine's refusal, after which nothing has changed
   */
  Position update(String key, Payload function, Payload records) {
    lock.lock();
    try {
      Role.Leading leading = requireLeading();
      Optional<Position> known = keys.positionOf(key);
      return known.isPresent() ? known.get() : append(leading.epoch(), key, function, records);
    } finally {
      lock.unlock();
    }
  }

  private Position append(long epoch, String key, Payload function, Payload records) {
    Position before = position;
    LogEntry entry =
        new LogEntry(new Position(epoch, before.sequence() + 1), key, function, records);
    append(entry);
    try {
      apply(entry);
      return entry.position();
    } catch (UniserveException e) {
      takeBack(before);
      throw e;
    }
  }

  private void takeBack(Position before) {
    try {
      log.dropLast(before);
    } catch (IOException e) {
      breakDown();
      throw new EngineFailure("log of " + target, e);
    }
  }

  /**
   * Applies what the primary of an epoch sent, in its order. Nothing is applied if this replica
   * follows another.
   */
  void applyReplicated(long epoch, List<LogEntry> entries) {
    lock.lock();
    try {
      for (LogEntry entry : entries) {
        if (!role.equals(new Role.Following(epoch)) || broken) {
          throw new UniserveException(
              ErrorCode.STALE_ROUTING, target + " does not follow epoch " + epoch + " any more");
        }
        append(entry);
        apply(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  private void append(LogEntry entry) {
    try {
      log.append(entry);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED, "the log of " + target + " cannot be written: " + e.getMessage(), e);
    }
  }

  private void apply(LogEntry entry) {
    try {
      actors.apply(live, entry);
      keys.add(entry.key(), entry.position());
      position = entry.position();
      counters.updated();
    } catch (EngineFailure e) {
      breakDown();
      throw e;
    }
  }

  private void breakDown() {
    broken = true;
    readable = false;
    role = new Role.Idle();
  }

  /** Forgets an actor in doubt, so that it can be opened or fetched again. */
  void reset() {
    lock.lock();
    try {
      breakDown();
      closeLog();
      retire();
      broken = false;
    } finally {
      lock.unlock();
    }
  }

  /** What a follower at a position needs next; empty if it must load a checkpoint. */
  Optional<List<LogEntry>> after(long epoch, Position from, int bytesMax) throws IOException {
    lock.lock();
    try {
      Role.Leading leading = requireLeading();
      if (leading.epoch() != epoch) {
        throw new UniserveException(
            ErrorCode.STALE_ROUTING,
            target + " is led in epoch " + leading.epoch() + ", not " + epoch);
      }
      return log.contains(from) ? Optional.of(log.after(from, bytesMax)) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * A checkpoint at the newest position, pinned: whoever gets it unpins it. Updates wait while the
   * engine serialises, not while the disk makes it durable.
   */
  Checkpoint checkpoint() throws IOException {
    checkpointing.lock();
    try {
      Checkpoint checkpoint = newestOrNew();
      files.pin(checkpoint);
      return checkpoint;
    } finally {
      checkpointing.unlock();
    }
  }

  /**
   * Like {@link #checkpoint}, but keeps nothing pinned, and only if enough was logged since the
   * last.
   */
  void checkpointIfDue(long bytes) throws IOException {
    lock.lock();
    boolean due;
    try {
      due = held() && log.bytesSinceCheckpoint() >= bytes;
    } finally {
      lock.unlock();
    }
    if (due) {
      files.unpin(checkpoint());
    }
  }

  private Checkpoint newestOrNew() throws IOException {
    Path begun = files.begin();
    try {
      CheckpointMeta meta;
      lock.lock();
      try {
        if (!held()) {
          throw new UniserveException(ErrorCode.UNAVAILABLE, target + " is not open here");
        }
        Optional<Checkpoint> newest =
            files.newest().filter(known -> known.position().equals(position));
        if (newest.isPresent()) {
          return newest.get();
        }
        actors.serialize(live, Files.createDirectory(begun.resolve("engine")));
        meta = new CheckpointMeta(position, keys.all());
        log.rotate();
      } finally {
        lock.unlock();
      }
      return finish(begun, meta);
    } finally {
      files.delete(begun);
    }
  }

  private Checkpoint finish(Path begun, CheckpointMeta meta) throws IOException {
    Checkpoint checkpoint = files.finish(begun, meta);
    lock.lock();
    try {
      if (log != null) {
        log.checkpointed(meta.position());
      }
    } finally {
      lock.unlock();
    }
    return checkpoint;
  }

  /** Promises to accept nothing of an epoch below this one. */
  void seal(long epoch) {
    lock.lock();
    try {
      if (epoch > promisedEpoch) {
        promisedEpoch = epoch;
        role = new Role.Idle();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Becomes the primary of an epoch; false if the replica may not. */
  boolean lead(long epoch) {
    return take(epoch, new Role.Leading(epoch));
  }

  /** Follows the primary of an epoch; false if the replica may not. */
  boolean follow(long epoch) {
    return take(epoch, new Role.Following(epoch));
  }

  private boolean take(long epoch, Role wanted) {
    lock.lock();
    try {
      boolean allowed = held() && epoch >= promisedEpoch;
      if (allowed && !role.equals(wanted)) {
        promisedEpoch = epoch;
        role = wanted;
        readable = wanted instanceof Role.Leading || readable;
      }
      return allowed;
    } finally {
      lock.unlock();
    }
  }

  /** Applies nothing until it is told its role again. */
  void stepDown() {
    lock.lock();
    try {
      role = new Role.Idle();
    } finally {
      lock.unlock();
    }
  }

  /** The replica has been level with its primary: it may be read. */
  void caughtUp() {
    readable = true;
  }

  void close() {
    lock.lock();
    try {
      breakDown();
      closeLog();
      retire();
    } finally {
      lock.unlock();
    }
  }

  private Role.Leading requireLeading() {
    if (role instanceof Role.Leading leading) {
      return leading;
    }
    throw new UniserveException(ErrorCode.STALE_ROUTING, target + " is not led by this server");
  }

  private void use(LiveActor opened, ReplicaLog opening) {
    LiveActor former = live;
    live = opened;
    log = opening;
    position = opening.last();
    if (former != null) {
      former.retire();
    }
  }

  private void retire() {
    LiveActor former = live;
    live = null;
    if (former != null) {
      former.retire();
    }
  }

  private void closeLog() {
    if (log != null) {
      log.close();
      log = null;
    }
  }
}
