package io.uniserve.runtime.server.replica;

import io.uniserve.api.Actor;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.UnusableFileException;
import io.uniserve.runtime.server.actor.EngineActors;
import io.uniserve.runtime.server.actor.MarkReaders;
import io.uniserve.runtime.server.actor.Ran;
import io.uniserve.runtime.server.actor.Tried;
import io.uniserve.runtime.server.actor.Versions;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.server.keys.DamagedKeysException;
import io.uniserve.runtime.server.keys.RecentKeys;
import io.uniserve.runtime.server.keys.Watermarks;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The parts of an open replica: the engine's actor, the log of its updates and their idempotency
 * keys, always at one position. For one thread at a time, except where a method says otherwise.
 */
public final class ReplicaData {
  /** The generation of an actor that has no readable keys. */
  static final int NONE = -1;

  private final EngineActors actors;
  private volatile Shared<Actor> live;
  private final ReplicaLog log;
  private final RecentKeys keys;
  private final Watermarks watermarks;
  private final ReceivedOrder order;
  private final Versions versions;
  private final MarkReaders marks;
  private final Firmness firmness;
  private final ReentrantLock forcing = new ReentrantLock();
  private volatile Position position;
  private volatile long timeMillis;
  private volatile long version;
  private volatile int generation;
  private boolean versioning;

  /** True if readers are opened at marks. */
  private volatile boolean marking;

  /** The epoch in which the log has a mark that was asked for in it; 0 if it has none. */
  private volatile long markedEpoch;

  /** Null while nothing is prepared. */
  private volatile OpenTransaction open;

  /** The actor that this one becomes if it is split now; null if no split is prepared. */
  private volatile Half half;

  /**
   * @param reader the reader of its newest version, if reads of the table are of one version
   */
  private record Half(
      Shared<Actor> live, Optional<Shared<Actor>> reader, Partitioner partitioner, int generation) {
    void retire() {
      reader.ifPresent(Shared::retire);
      live.retire();
    }
  }

  /**
   * @param of the checkpoint that the log follows
   * @param keys the keys of the checkpoint
   */
  ReplicaData(
      EngineActors actors, Shared<Actor> live, ReplicaLog log, CheckpointMeta of, RecentKeys keys) {
    this.actors = actors;
    this.live = live;
    this.log = log;
    this.keys = keys;
    this.watermarks = new Watermarks(of.watermarks());
    this.order = new ReceivedOrder(of.order());
    this.versions = new Versions(actors.clock());
    this.marks = new MarkReaders(actors.clock(), actors::signal, order.reach());
    this.position = log.base();
    this.firmness = new Firmness(actors.promises() ? position : Position.START);
    this.timeMillis = of.timeMillis();
    this.version = of.version();
    this.generation = of.generation();
  }

  /** Returns the position of the last update applied. For any thread. */
  Position position() {
    return position;
  }

  /** Returns the actor. For any thread. */
  Shared<Actor> live() {
    return live;
  }

  /** Returns the time of the last update applied, in milliseconds since 1970. For any thread. */
  long timeMillis() {
    return timeMillis;
  }

  /** Returns the version of the last transaction committed. For any thread. */
  long version() {
    return version;
  }

  /**
   * Returns the actor with the keys of a generation. That may be the actor that is prepared for a
   * split, since the next log entry turns every copy into it before any update. For any thread.
   */
  Optional<Shared<Actor>> of(int wanted) {
    Half ready = half;
    if (generation == wanted) {
      return Optional.of(live);
    }
    return ready != null && ready.generation() == wanted
        ? Optional.of(ready.live())
        : Optional.empty();
  }

  /**
   * Returns a reader as of a version, for an operator, who releases it. All transactions up to that
   * version are applied here. For any thread.
   */
  Optional<Shared<Actor>> of(int wanted, long asked) {
    Half ready = half;
    boolean whole = generation == wanted;
    boolean waits = ready != null && ready.generation() == wanted && asked >= version;
    Optional<Shared<Actor>> reader =
        whole
            ? versions.acquire(asked)
            : Optional.ofNullable(waits ? ready : null)
                .flatMap(Half::reader)
                .filter(Shared::acquire);
    // The actor may have been split meanwhile, or gone on, and had another reader.
    boolean same = whole ? generation == wanted : half == ready;
    reader.filter(live -> !same).ifPresent(Shared::release);
    return reader.filter(live -> same);
  }

  /**
   * Returns the generation of the actor's keys; {@link #NONE} while it is being split. For any
   * thread.
   */
  int generation() {
    return generation;
  }

  /** Returns the transaction that is prepared and not decided. For any thread. */
  Optional<OpenTransaction> open() {
    return Optional.ofNullable(open);
  }

  /** Returns what is known of which updates can still be lost. For any thread. */
  Firmness firmness() {
    return firmness;
  }

  /** Returns readers by version, if reads of the table see a single version. For any thread. */
  Versions versions() {
    return versions;
  }

  /**
   * Begins to keep versions. The present one, or that of the prepared transaction, is the oldest
   * that can be read.
   */
  void beginVersions() {
    versioning = actors.versioned();
    if (open == null) {
      keepVersion();
    }
  }

  /** Begins to open readers at marks, since the copy is read from now on. For any thread. */
  void beginMarks() {
    marking = actors.opensAtMarks();
  }

  /** Returns the readers at marks. For any thread. */
  MarkReaders marks() {
    return marks;
  }

  /**
   * Returns a reader at a mark, for an operator, who releases it. For any thread.
   *
   * @param wanted the generation of the actor's keys
   */
  Optional<MarkReaders.AtMark> at(int wanted, Mark mark) {
    Optional<MarkReaders.AtMark> read =
        generation == wanted ? marks.acquire(mark) : Optional.empty();
    // The actor may have been split meanwhile.
    boolean same = generation == wanted;
    read.filter(at -> !same).ifPresent(at -> at.reader().release());
    return read.filter(at -> same);
  }

  /**
   * Returns the epoch in which this copy has a mark that its primary asked for; 0 if it has none.
   * For any thread.
   */
  long markedEpoch() {
    return markedEpoch;
  }

  /** Notes that the log has a mark that was asked for in an epoch. For any thread. */
  void markedEpoch(long epoch) {
    markedEpoch = epoch;
  }

  private void mark(LogEntry.Marked marked) {
    marked
        .place()
        .ifPresent(
            place -> {
              firmness.promised(marked.position());
              order.received(place);
            });
    order.marked(marked.mark());
    if (marking) {
      marks.mark(marked.mark(), firmness.shown(), () -> actors.snapshot(live));
    } else {
      marks.passed(marked.mark());
    }
  }

  private void keepVersion() {
    if (versioning) {
      versions.add(version, actors.snapshot(live));
    }
  }

  /**
   * Returns the update that was applied with an idempotency key. Of records of a stream, the
   * watermark alone knows: they may have come in other updates.
   *
   * @throws DamagedKeysException if that is not known, since a file of keys is damaged
   */
  Optional<AppliedKey> known(UpdateKey key) {
    Optional<AppliedKey> known =
        key.offsets().isPresent()
            ? watermarks.find(key.offsets().get())
            : keys.find(key, timeMillis);
    return known.map(applied -> applied.upTo(position));
  }

  /**
   * Requires that an update may be applied with its key, or was.
   *
   * @param known the update applied with that key
   * @param atMillis the time at which it is to be applied
   * @throws UniserveException if the key was another update's, or is not known and too old, or some
   *     of its records of a stream are applied already
   */
  void requireFit(UpdateKey key, Optional<AppliedKey> known, long atMillis) {
    known.ifPresentOrElse(
        before -> key.requireSame(before.body()), () -> key.requireLiving(atMillis));
    key.offsets().ifPresent(watermarks::requireUncut);
  }

  /** Returns how far the actor has got in the order of its table. */
  ReceivedOrder order() {
    return order;
  }

  /** Applies the entries that the log had when it was opened; the engine gets many together. */
  void replay(List<LogEntry> entries) throws IOException {
    int applied = 0;
    while (applied < entries.size()) {
      try {
        applied += replaySome(entries.subList(applied, entries.size()));
      } catch (UniserveException e) {
        // Earlier programs appended an entry before the engine took it. One that died in between
        // left an entry that nobody has seen. It can only be the last.
        boolean refused =
            e.code().party() == ErrorCode.Party.CALLER && !(e instanceof EngineFailedException);
        if (!refused || position.sequence() + 1 < entries.getLast().position().sequence()) {
          throw e;
        }
        takeBack();
        break;
      }
    }
    if (actors.promises()) {
      firmness.shows(position);
    }
  }

  /** Applies the first of some entries, and returns how many. */
  private int replaySome(List<LogEntry> entries) {
    List<LogEntry.Change> together =
        entries.stream()
            .takeWhile(
                entry -> entry instanceof LogEntry.Update || entry instanceof LogEntry.Ordered)
            .map(LogEntry.Change.class::cast)
            .limit(UpdateQueue.TOGETHER_MAX)
            .toList();
    if (together.isEmpty()) {
      apply(entries.getFirst());
      return 1;
    }
    requireNothingOpen(together.getFirst());
    List<Tried> tried =
        runAll(
            together.getFirst().position(),
            together.stream()
                .map(change -> (Function<Position, LogEntry.Change>) next -> change)
                .toList());
    for (Tried one : tried) {
      switch (one) {
        case Ran ran -> take(ran);
        case Tried.Refused refused -> throw refused.reason();
      }
    }
    return tried.size();
  }

  /**
   * Adds the next entries to the log, in one write.
   *
   * @throws UniserveException with {@link ErrorCode#EXHAUSTED} or {@link ErrorCode#TOO_LARGE};
   *     nothing has changed
   * @throws EngineFailedException if the log is unusable
   */
  void append(List<LogEntry> entries) {
    try {
      log.append(entries);
    } catch (UnusableFileException e) {
      throw new EngineFailedException("a log", e);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED, "the log cannot be written: " + e.getMessage(), e);
    }
  }

  /**
   * Applies an entry of the log.
   *
   * @throws EngineFailedException if the actor is in doubt afterwards
   * @throws UniserveException if the engine refuses it; the actor is as before
   */
  void apply(LogEntry entry) {
    switch (entry) {
      case LogEntry.Change change -> {
        take(run(change));
        return;
      }
      case LogEntry.Commit commit -> {
        OpenTransaction ended = requireOpen(commit.transaction());
        Optional<Shared<Actor>> reader = actors.commit(live, ended.prepared(), versioning);
        version = commit.version();
        // The reader is kept first, so that it ends with the copy whatever fails after it.
        reader.ifPresent(of -> versions.add(commit.version(), of));
        addKeys(ended, commit);
        settle();
      }
      case LogEntry.Passed passed -> {
        firmness.promised(passed.position());
        order.received(passed.place());
        marks.passed(Mark.ofPlace(order.last()));
        passed.refusal().ifPresent(refusal -> order.refused(passed.key(), refusal));
      }
      case LogEntry.Declined declined -> {
        firmness.promised(declined.position());
        order.receivedShort();
        order.refused(declined.key(), declined.refusal());
      }
      case LogEntry.Marked marked -> mark(marked);
      case LogEntry.Retain retain -> {
        marks.clear();
        retain(retain.partitioner(), retain.generation());
      }
      case LogEntry.Abort abort -> {
        actors.abort(live, requireOpen(abort.transaction()).prepared());
        if (versions.isEmpty()) {
          keepVersion();
        }
        settle();
      }
    }
    goOn(entry);
  }

  private void addKeys(OpenTransaction ended, LogEntry.Commit commit) {
    List<LogEntry.Member> members = ended.prepared().members();
    for (int i = 0; i < members.size(); i++) {
      note(
          members.get(i).key(),
          commit.position(),
          commit.timeMillis(),
          ended.answers().get(i).map(given -> given.at(commit.position())));
    }
  }

  private void goOn(LogEntry entry) {
    timeMillis = entry.timeMillis();
    position = entry.position();
    forgetHalf();
  }

  /**
   * Has the engine apply or prepare a change that is the next entry, or is to be. Nothing else
   * changes until {@link #take}.
   *
   * @throws EngineFailedException if the actor is in doubt afterwards
   * @throws UniserveException if the engine refuses it; the actor is as before
   */
  Ran run(LogEntry.Change change) {
    requireNothingOpen(change);
    switch (change) {
      case LogEntry.Update update -> {
        if (actors.promises()) {
          firmness.shows(update.position());
        }
      }
      case LogEntry.Prepare prepare -> firmness.promised(prepare.position());
      case LogEntry.Ordered ordered -> {
        order.requireNext(ordered.place());
        firmness.promised(ordered.position());
      }
    }
    try {
      return actors.run(live, change);
    } catch (UniserveException e) {
      firmness.takenBack(position);
      throw e;
    }
  }

  /**
   * Has the engine apply changes together, as {@link #run} does each.
   *
   * @param first the position of the first that the engine takes; the others come after it
   * @param changes the changes, each as it is at a position
   * @return the outcomes of the first of them, at least one
   * @throws EngineFailedException if the actor is in doubt afterwards
   */
  List<Tried> runAll(Position first, List<Function<Position, LogEntry.Change>> changes) {
    Position most = new Position(first.epoch(), first.sequence() + changes.size() - 1);
    Position last = changes.getLast().apply(most).position();
    boolean alone =
        actors.transactional()
            || actors.promises()
                && changes.stream()
                    .anyMatch(change -> change.apply(most) instanceof LogEntry.Update);
    if (alone) {
      firmness.shows(last);
    } else if (actors.promises()) {
      firmness.promised(last);
    }
    Position taken = position;
    try {
      List<Tried> tried = actors.runAll(live, first, changes);
      for (Tried one : tried) {
        taken = one instanceof Ran ran ? ran.entry().position() : taken;
      }
      return tried;
    } finally {
      firmness.takenBack(taken);
    }
  }

  /** Notes that a change that the engine has applied or prepared is the next entry of the log. */
  void take(Ran ran) {
    LogEntry.Change change = ran.entry();
    switch (change) {
      case LogEntry.Update update -> {
        if (actors.promises()) {
          // Updates that were refused meanwhile may have entries before it.
          firmness.shows(update.position());
        }
        addKey(ran);
        order.receivedShort();
        marks.changed();
      }
      case LogEntry.Prepare prepare ->
          open = new OpenTransaction(prepare, actors.signal(), ran.answers());
      case LogEntry.Ordered ordered -> {
        // Updates that were refused meanwhile have entries before it.
        firmness.promised(ordered.position());
        addKey(ran);
        order.received(ordered.place());
        marks.changed(Mark.ofPlace(order.last()));
      }
    }
    goOn(change);
  }

  private void addKey(Ran ran) {
    LogEntry.Change change = ran.entry();
    note(change.key(), change.position(), change.timeMillis(), ran.given());
  }

  /** Notes that an update is applied: its key, and how far it gets in a stream. */
  private void note(UpdateKey key, Position at, long atMillis, Optional<GivenAnswer> answer) {
    try {
      keys.add(key, at, atMillis, answer);
    } catch (DamagedKeysException e) {
      // The engine has applied the update, so the copy must be opened again.
      throw new EngineFailedException("an update's idempotency key", e);
    }
    key.offsets().ifPresent(offsets -> watermarks.reached(offsets, at));
  }

  /**
   * Returns how many changes the log has room for, before the engine applies them; at least one.
   *
   * @param sizesBytes the size of the entry of each at most
   * @throws UniserveException with {@link ErrorCode#EXHAUSTED} if it has none for the first
   */
  int requireRoom(List<Integer> sizesBytes) {
    return log.requireRoom(sizesBytes);
  }

  /**
   * Keeps only the actor's own keys. This is immediate if the actor was made ready; running
   * operators go on with the former actor. Older versions have the keys of the whole, so nobody
   * reads them any more.
   */
  private void retain(Partitioner partitioner, int next) {
    Half ready = half;
    // A reader of the whole sees neither the former nor the new actor meanwhile.
    generation = NONE;
    if (ready != null && ready.partitioner().equals(partitioner)) {
      Shared<Actor> whole = live;
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

  /** Takes the actor that this one becomes if it is split before the next update. */
  void makeReady(Shared<Actor> made, Partitioner partitioner, int ofGeneration) {
    Optional<Shared<Actor>> reader =
        versioning ? Optional.of(actors.snapshot(made)) : Optional.empty();
    forgetHalf();
    half = new Half(made, reader, partitioner, ofGeneration);
  }

  /** Drops the actor that was made ready for a split. */
  void forgetHalf() {
    Half former = half;
    half = null;
    if (former != null) {
      former.retire();
    }
  }

  private void requireNothingOpen(LogEntry next) {
    Invariant.ATOMIC_UPDATES.require(
        open == null, () -> next.position() + " comes before the end of " + open);
  }

  private OpenTransaction requireOpen(String transaction) {
    OpenTransaction now = open;
    Invariant.ATOMIC_UPDATES.require(
        now != null && now.is(transaction), () -> transaction + " ends, but open is " + now);
    return now;
  }

  private void settle() {
    OpenTransaction settled = open;
    open = null;
    if (settled != null) {
      settled.settled().set();
    }
  }

  /** Returns whether the log has a position, or continues from it. */
  boolean has(Position wanted) {
    return log.contains(wanted);
  }

  /**
   * Forces everything applied up to a position to disk, which serves all who wait for that. For any
   * thread.
   */
  void force(Position upTo) throws IOException {
    forcing.lock();
    try {
      if (!firmness.isForced(upTo)) {
        Position now = position;
        // An entry of an older file was forced when the next file was begun.
        log.newestFile().force();
        firmness.forced(now);
      }
    } finally {
      forcing.unlock();
    }
  }

  /** Removes the last entry, which was not applied. */
  private void takeBack() throws IOException {
    log.dropLast(position);
  }

  /**
   * Returns the entries that a follower at a position needs next; empty if it must load a
   * checkpoint.
   */
  Optional<List<LogEntry>> after(Position from, int bytesMax) throws IOException {
    return log.contains(from) ? Optional.of(log.after(from, bytesMax)) : Optional.empty();
  }

  /** Returns the same if the disk is not needed. */
  Optional<List<LogEntry>> recentAfter(Position from, int bytesMax) {
    return log.contains(from) ? log.recentAfter(from, bytesMax) : Optional.empty();
  }

  /** Returns the pieces of the log, to be checked for damage. */
  List<ReplicaLog.Piece> logPieces() {
    return log.pieces();
  }

  /** Returns whether a piece is still a part of the log. */
  boolean logHas(ReplicaLog.Piece piece) {
    return log.has(piece);
  }

  /** Returns whether it is unknown what the disk has of the log. For any thread. */
  boolean logUnusable() {
    return log.newestFile().unusable();
  }

  /** Writes the log's newest segment anew, see {@link ReplicaLog#writeNewestAnew}. */
  void writeLogAnew() throws IOException {
    log.writeNewestAnew();
  }

  long bytesSinceCheckpoint() {
    return log.bytesSinceCheckpoint();
  }

  /**
   * Writes the contents of a checkpoint, and returns its position.
   *
   * @param begun a new and empty directory
   */
  CheckpointMeta serialize(Path begun) throws IOException {
    actors.serialize(live, Files.createDirectory(begun.resolve(Checkpoint.ENGINE)));
    keys.write(begun);
    log.rotate();
    return new CheckpointMeta(
        position, timeMillis, version, generation, order.stored(), watermarks.stored());
  }

  /** Notes that the serialised files are a checkpoint now, in place of damaged files. */
  void renewed(Position at) throws IOException {
    log.renewed(at);
  }

  /** Notes that the serialised files are a checkpoint now. */
  void checkpointed(Position at) throws IOException {
    log.checkpointed(at);
  }

  /** Closes the log. Operators that are running go on with the actor. */
  void closeLog() {
    settle();
    marks.close();
    log.close();
    keys.close();
  }

  /** Closes everything. The actor itself closes once the last operator on it has ended. */
  void close() {
    settle();
    forgetHalf();
    versions.clear();
    marks.close();
    live.retire();
    log.close();
    keys.close();
  }
}
