package io.uniserve.runtime.server;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.LogEntryCodec;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * This server's copy of one actor: applies updates in order, and can be opened, replaced,
 * checkpointed and fenced. It knows nothing of other servers. Every change happens under one lock,
 * so updates have one order; operators never take the lock.
 */
final class Replica {
  /** Idempotency keys that are remembered. */
  private static final int KEYS_MAX = 10_000;

  private final ReplicaTarget target;
  private final Engines engines;
  private final EngineThreads engineThreads;
  private final Storage storage;
  private final ReplicaFiles files;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReplicaCounters counters = new ReplicaCounters();
  private Map<String, Position> keys = new LinkedHashMap<>();
  private ReplicaLog log;
  private Role role = new Role.Idle();
  private long promisedEpoch;
  private boolean broken;
  private volatile LiveActor live;
  private volatile boolean readable;

  Replica(
      ReplicaTarget target,
      Engines engines,
      EngineThreads engineThreads,
      Storage storage,
      Path directory)
      throws IOException {
    this.target = target;
    this.engines = engines;
    this.engineThreads = engineThreads;
    this.storage = storage;
    this.files = new ReplicaFiles(storage, directory);
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
    return locked(() -> live != null && !broken);
  }

  /** Whether engine code failed in a way that leaves the actor in doubt. */
  boolean broken() {
    return locked(() -> broken);
  }

  Position position() {
    return locked(() -> log == null ? Position.START : log.last());
  }

  Role role() {
    return locked(() -> role);
  }

  /** The role in a word, for people. */
  String statusWord() {
    if (broken()) {
      return "failed";
    }
    return switch (role()) {
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

  /**
   * The actor, for an operator; whoever gets one releases it. Empty if the replica must not be
   * read.
   */
  Optional<LiveActor> acquire() {
    LiveActor now = live;
    return readable && now != null && now.acquire() ? Optional.of(now) : Optional.empty();
  }

  /** Makes the actor new and empty. */
  void create() throws IOException {
    Path life = files.newLife();
    Engine<?> engine = engine();
    Actor actor = engineThreads.call("create " + target, () -> engine.create(context(life)));
    lock.lock();
    try {
      log =
          ReplicaLog.open(
              storage, files.log(), new LogEntryCodec(engines), Position.START, new ArrayList<>());
      use(actor, life);
      checkpointHeld();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Opens what this server's disk has: the newest checkpoint and the log after it. False if it has
   * none.
   */
  boolean open() throws IOException {
    Optional<Checkpoint> newest = files.newest();
    if (newest.isEmpty()) {
      return false;
    }
    open(newest.get());
    return true;
  }

  /**
   * Puts a checkpoint from elsewhere, in a directory from {@link ReplicaFiles#begin}, in the place
   * of all that is here.
   */
  void install(Path begun) throws IOException {
    lock.lock();
    try {
      closeLog();
      open(files.replaceAll(begun));
    } finally {
      lock.unlock();
    }
  }

  private void open(Checkpoint checkpoint) throws IOException {
    Path life = files.newLife();
    Engine<?> engine = engine();
    files.copyInto(checkpoint, life, engine.writesFilesOnce());
    Actor actor = engineThreads.call("open " + target, () -> engine.deserialize(context(life)));
    lock.lock();
    try {
      List<LogEntry> entries = new ArrayList<>();
      keys = new LinkedHashMap<>(CheckpointMeta.read(checkpoint.directory()).keys());
      log =
          ReplicaLog.open(
              storage, files.log(), new LogEntryCodec(engines), checkpoint.position(), entries);
      replay(actor, entries);
      use(actor, life);
    } finally {
      lock.unlock();
    }
  }

  private void replay(Actor actor, List<LogEntry> entries) throws IOException {
    Position before = log.last();
    for (LogEntry entry : entries) {
      try {
        engineThreads.call("replay " + target, () -> run(actor, entry));
        remember(entry);
      } catch (EngineFailure e) {
        throw e;
      } catch (UniserveException e) {
        dropRefusedLast(entry, entries, e);
      }
      before = entry.position();
    }
  }

  /**
   * A process that died between append and refusal leaves an entry that nobody has seen; it can
   * only be the last.
   */
  private void dropRefusedLast(LogEntry entry, List<LogEntry> entries, UniserveException refusal)
      throws IOException {
    if (entry != entries.getLast()) {
      throw refusal;
    }
    Position before = entries.size() == 1 ? log.base() : entries.get(entries.size() - 2).position();
    log.dropLast(before);
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
      Position known = keys.get(key);
      if (known != null) {
        return known;
      }
      Position before = log.last();
      LogEntry entry =
          new LogEntry(
              new Position(leading.epoch(), before.sequence() + 1), key, function, records);
      append(entry);
      try {
        apply(entry);
      } catch (UniserveException e) {
        log.dropLast(before);
        throw e;
      }
      return entry.position();
    } catch (IOException e) {
      throw new EngineFailure("log of " + target, e);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Applies what the primary of an epoch sent, in its order. Nothing is applied if this replica
   * follows another.
   */
  void applyReplicated(long epoch, List<LogEntry> entries) throws IOException {
    lock.lock();
    try {
      for (LogEntry entry : entries) {
        if (!(role instanceof Role.Following following) || following.epoch() != epoch || broken) {
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
    Position before = log.last();
    try {
      log.append(entry);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          "the log of " + target + " cannot be written after " + before + ": " + e.getMessage(),
          e);
    }
  }

  private void apply(LogEntry entry) {
    try {
      engineThreads.call("update of " + target, () -> run(live.actor(), entry));
      remember(entry);
      counters.updated();
    } catch (EngineFailure e) {
      breakDown();
      throw e;
    }
  }

  @SuppressWarnings("unchecked")
  private Void run(Actor actor, LogEntry entry) {
    Object function = entry.function().value(engines);
    List<PartitionedRecord> records = (List<PartitionedRecord>) entry.records().value(engines);
    switch (function) {
      case UpdateFunction.Eventual<?, ?> eventual ->
          ((UpdateFunction.Eventual<Actor, PartitionedRecord>) eventual).update(actor, records);
      default ->
          throw new UniserveException(
              ErrorCode.UNSUPPORTED,
              function.getClass().getSimpleName() + " is not an eventual update");
    }
    return null;
  }

  private void remember(LogEntry entry) {
    keys.put(entry.key(), entry.position());
    if (keys.size() > KEYS_MAX) {
      keys.remove(keys.keySet().iterator().next());
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
      role = new Role.Idle();
      readable = false;
      broken = false;
      closeLog();
      retire();
    } finally {
      lock.unlock();
    }
  }

  /** What a follower at a position needs next; empty if it must load a checkpoint. */
  Optional<List<LogEntry>> after(long epoch, Position position, int bytesMax) throws IOException {
    lock.lock();
    try {
      Role.Leading leading = requireLeading();
      if (leading.epoch() != epoch) {
        throw new UniserveException(
            ErrorCode.STALE_ROUTING,
            target + " is led in epoch " + leading.epoch() + ", not " + epoch);
      }
      return log.contains(position) ? Optional.of(log.after(position, bytesMax)) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** A checkpoint at the newest position, pinned: whoever gets it unpins it. */
  Checkpoint checkpoint() throws IOException {
    lock.lock();
    try {
      if (live == null || broken) {
        throw new UniserveException(ErrorCode.UNAVAILABLE, target + " is not open here");
      }
      return checkpointHeld();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Like {@link #checkpoint}, but keeps nothing pinned, and only if enough was logged since the
   * last.
   */
  void checkpointIfDue(long bytes) throws IOException {
    boolean due = locked(() -> live != null && !broken && log.bytesSinceCheckpoint() >= bytes);
    if (due) {
      files.unpin(checkpoint());
    }
  }

  private Checkpoint checkpointHeld() throws IOException {
    Optional<Checkpoint> newest = files.newest();
    Position position = log.last();
    Checkpoint checkpoint;
    if (newest.isPresent() && newest.get().position().equals(position)) {
      checkpoint = newest.get();
    } else {
      Path begun = files.begin();
      Path engineFiles = java.nio.file.Files.createDirectory(begun.resolve("engine"));
      engineThreads.call("serialise " + target, () -> serialize(engineFiles));
      checkpoint =
          files.finish(
              begun,
              new CheckpointMeta(position, Collections.unmodifiableMap(new LinkedHashMap<>(keys))));
      log.checkpointed();
    }
    files.pin(checkpoint);
    return checkpoint;
  }

  private Void serialize(Path directory) throws IOException {
    live.actor().serialize(directory);
    return null;
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
      boolean allowed = live != null && !broken && epoch >= promisedEpoch;
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

  private void use(Actor actor, Path life) {
    retire();
    live = new LiveActor(actor, () -> deleteLife(life));
  }

  private void deleteLife(Path life) {
    try {
      files.delete(life);
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }

  private void retire() {
    LiveActor old = live;
    live = null;
    if (old != null) {
      old.retire();
    }
  }

  private void closeLog() {
    if (log != null) {
      log.close();
      log = null;
    }
  }

  private Engine<?> engine() {
    return engines.engine(target.definition().engine());
  }

  private ActorContext context(Path life) {
    return new ActorContext(target.definition(), target.id().number(), life);
  }

  private <T> T locked(java.util.function.Supplier<T> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }
}
