package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.Partitioner;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.UnusableFile;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.UpdateKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What an open replica consists of: the engine's actor, the log of its updates and their
 * idempotency keys, always of one position. For one thread at a time, except where it says
 * otherwise.
 */
final class ReplicaData {
  /** No generation of any actor's keys. */
  static final int NONE = -1;

  private final EngineActors actors;
  private volatile LiveActor live;
  private final ReplicaLog log;
  private final RecentKeys keys;
  private final ReceivedOrder order;
  private final Versions versions;
  private volatile Position position;
  private volatile long timeMillis;
  private volatile long version;
  private volatile int generation;
  private boolean versioning;

  /** Null while nothing is prepared. */
  private volatile OpenTransaction open;

  /** What the actor is going to be once it is split here and now; null if it is not to be. */
  private volatile Half half;

  /**
   * @param reader of its newest version, if reads of the table are of one version
   */
  private record Half(
      LiveActor live, Optional<LiveActor> reader, Partitioner partitioner, int generation) {
    void retire() {
      reader.ifPresent(LiveActor::retire);
      live.retire();
    }
  }

  /**
   * @param of the checkpoint that the log follows
   * @param keys that the checkpoint has
   */
  ReplicaData(
      EngineActors actors, LiveActor live, ReplicaLog log, CheckpointMeta of, RecentKeys keys) {
    this.actors = actors;
    this.live = live;
    this.log = log;
    this.keys = keys;
    this.order = new ReceivedOrder(of.order());
    this.versions = new Versions(actors.clock());
    this.position = log.base();
    this.timeMillis = of.timeMillis();
    this.version = of.version();
    this.generation = of.generation();
  }

  /** Of the last update applied. For any thread. */
  Position position() {
    return position;
  }

  /** The actor. For any thread. */
  LiveActor live() {
    return live;
  }

  /** Of the last update applied, in milliseconds since 1970. For any thread. */
  long timeMillis() {
    return timeMillis;
  }

  /** Of the last transaction committed. For any thread. */
  long version() {
    return version;
  }

  /**
   * The actor with the keys of a generation, which may be that which is ready: what is logged next
   * makes it so on every copy, before any update. For any thread.
   */
  Optional<LiveActor> of(int wanted) {
    Half ready = half;
    if (generation == wanted) {
      return Optional.of(live);
    }
    return ready != null && ready.generation() == wanted
        ? Optional.of(ready.live())
        : Optional.empty();
  }

  /**
   * The same as of a version, for an operator, who releases it. Whatever was committed on the actor
   * until then is here. For any thread.
   */
  Optional<LiveActor> of(int wanted, long asked) {
    Half ready = half;
    boolean whole = generation == wanted;
    boolean waits = ready != null && ready.generation() == wanted && asked >= version;
    Optional<LiveActor> reader =
        whole
            ? versions.acquire(asked)
            : Optional.ofNullable(waits ? ready : null)
                .flatMap(Half::reader)
                .filter(LiveActor::acquire);
    // What was split meanwhile, or went on, may have had another reader.
    boolean same = whole ? generation == wanted : half == ready;
    reader.filter(live -> !same).ifPresent(LiveActor::release);
    return reader.filter(live -> same);
  }

  /** Of the actor's keys; {@link #NONE} while it is split. For any thread. */
  int generation() {
    return generation;
  }

  /** What is prepared and not decided. For any thread. */
  Optional<OpenTransaction> open() {
    return Optional.ofNullable(open);
  }

  /** Readers by version, if reads of the table are of one version. For any thread. */
  Versions versions() {
    return versions;
  }

  /** What is here, or comes of what is prepared, is the oldest version that can be read. */
  void beginVersions() {
    versioning = actors.versioned();
    if (open == null) {
      keepVersion();
    }
  }

  private void keepVersion() {
    if (versioning) {
      versions.add(version, actors.snapshot(live));
    }
  }

  /** Gives what is known of an update by its idempotency key. */
  Optional<AppliedKey> known(UpdateKey key) {
    return keys.find(key, timeMillis);
  }

  /** How far the actor has got in the order of its table. */
  ReceivedOrder order() {
    return order;
  }

  /** Applies the entries that the log had when it was opened. */
  void replay(List<LogEntry> entries) throws IOException {
    for (LogEntry entry : entries) {
      try {
        apply(entry);
      } catch (UniserveException e) {
        // A process that died between append and refusal leaves an entry that nobody has seen; it
        // can only be the last.
        boolean refused =
            e.code().party() == ErrorCode.Party.CALLER && !(e instanceof EngineFailure);
        if (!refused || entry != entries.getLast()) {
          throw e;
        }
        takeBack();
      }
    }
  }

  /**
   * Adds the next entry to the log.
   *
   * @throws UniserveException with {@link ErrorCode#EXHAUSTED} or {@link ErrorCode#TOO_LARGE};
   *     nothing has changed
   * @throws EngineFailure if the log is of no use any more
   */
  void append(LogEntry entry) {
    try {
      log.append(entry);
    } catch (UnusableFile e) {
      throw new EngineFailure("a log", e);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED, "the log cannot be written: " + e.getMessage(), e);
    }
  }

  /**
   * Applies what was appended.
   *
   * @throws EngineFailure if the actor is in doubt afterwards
   * @throws UniserveException if the engine refuses it; the actor is as before
   */
  void apply(LogEntry entry) {
    switch (entry) {
      case LogEntry.Update update -> {
        actors.update(live, update);
        keys.add(update.key(), update.position(), update.timeMillis());
      }
      case LogEntry.Prepare prepare -> {
        requireNothingOpen(prepare);
        actors.prepare(live, prepare);
        open = new OpenTransaction(prepare, actors.signal());
      }
      case LogEntry.Commit commit -> {
        LogEntry.Prepare prepared = requireOpen(commit.transaction());
        Optional<LiveActor> reader = actors.commit(live, prepared, versioning);
        keys.add(prepared.key(), commit.position(), commit.timeMillis());
        version = commit.version();
        reader.ifPresent(of -> versions.add(commit.version(), of));
        settle();
      }
      case LogEntry.Ordered ordered -> {
        order.requireNext(ordered.place());
        actors.order(live, ordered);
        keys.add(ordered.key(), ordered.position(), ordered.timeMillis());
        order.received(ordered.place());
      }
      case LogEntry.Passed passed -> {
        order.received(passed.place());
        passed.refusal().ifPresent(refusal -> order.refused(passed.key(), refusal));
      }
      case LogEntry.Retain retain -> {
        retain(retain.partitioner(), retain.generation());
      }
      case LogEntry.Abort abort -> {
        actors.abort(live, requireOpen(abort.transaction()));
        if (versions.isEmpty()) {
          keepVersion();
        }
        settle();
      }
    }
    timeMillis = entry.timeMillis();
    position = entry.position();
    forgetHalf();
  }

  /**
   * At once, if it was made ready; operators that are running go on with what was before. Older
   * versions are of the whole: nobody reads them any more.
   */
  private void retain(Partitioner partitioner, int next) {
    Half ready = half;
    // Whoever reads the whole meanwhile sees neither what was nor what will be.
    generation = NONE;
    if (ready != null && ready.partitioner().equals(partitioner)) {
      LiveActor whole = live;
      versions.clear();
      ready.reader().ifPresent(reader -> versions.add(version, reader));
      live = ready.live();
      generation = next;
      half = null;
      whole.retire();
    } else {
      versions.clear();
      actors.retain(live, partitioner);
      keepVersion();
      generation = next;
    }
  }

  /** Takes what the actor is going to be, if it is split before anything else happens to it. */
  void makeReady(LiveActor made, Partitioner partitioner, int ofGeneration) {
    Optional<LiveActor> reader = versioning ? Optional.of(actors.snapshot(made)) : Optional.empty();
    forgetHalf();
    half = new Half(made, reader, partitioner, ofGeneration);
  }

  /** The actor is not to be split. */
  void forgetHalf() {
    Half former = half;
    half = null;
    if (former != null) {
      former.retire();
    }
  }

  private void requireNothingOpen(LogEntry.Prepare next) {
    Invariant.ATOMIC_UPDATES.require(
        open == null, () -> next.transaction() + " is prepared before the end of " + open);
  }

  private LogEntry.Prepare requireOpen(String transaction) {
    OpenTransaction now = open;
    Invariant.ATOMIC_UPDATES.require(
        now != null && now.is(transaction), () -> transaction + " ends, but open is " + now);
    return now.prepared();
  }

  private void settle() {
    OpenTransaction settled = open;
    open = null;
    if (settled != null) {
      settled.settled().set();
    }
  }

  /** The file that has the newest entry, to be forced by any thread. */
  FramedFile newestFile() {
    return log.newestFile();
  }

  /** Takes back what was appended and not applied. */
  void takeBack() throws IOException {
    log.dropLast(position);
  }

  /** What a follower at a position needs next; empty if it must load a checkpoint. */
  Optional<List<LogEntry>> after(Position from, int bytesMax) throws IOException {
    return log.contains(from) ? Optional.of(log.after(from, bytesMax)) : Optional.empty();
  }

  /** The log, to be read by whoever looks for damage. */
  List<ReplicaLog.Piece> logPieces() {
    return log.pieces();
  }

  /** Tells whether a piece is still a part of the log. */
  boolean logHas(ReplicaLog.Piece piece) {
    return log.has(piece);
  }

  /** Tells whether nobody knows what the disk has of the log. For any thread. */
  boolean logUnusable() {
    return log.newestFile().unusable();
  }

  /** See {@link ReplicaLog#writeNewestAnew}. */
  void writeLogAnew() throws IOException {
    log.writeNewestAnew();
  }

  long bytesSinceCheckpoint() {
    return log.bytesSinceCheckpoint();
  }

  /**
   * Writes what a checkpoint consists of, and says of what position it is.
   *
   * @param begun a new and empty directory
   */
  CheckpointMeta serialize(Path begun) throws IOException {
    actors.serialize(live, Files.createDirectory(begun.resolve(Checkpoint.ENGINE)));
    keys.write(begun);
    log.rotate();
    return new CheckpointMeta(position, timeMillis, version, generation, order.stored());
  }

  /** Notes that what was serialised is a checkpoint now, in place of damaged files. */
  void renewed(Position at) throws IOException {
    log.renewed(at);
  }

  /** What was serialised is a checkpoint now. */
  void checkpointed(Position at) throws IOException {
    log.checkpointed(at);
  }

  /** Operators that are running go on with the actor. */
  void closeLog() {
    settle();
    log.close();
    keys.close();
  }

  /** The actor is closed once the last operator on it has ended. */
  void close() {
    settle();
    forgetHalf();
    versions.clear();
    live.retire();
    log.close();
    keys.close();
  }
}
