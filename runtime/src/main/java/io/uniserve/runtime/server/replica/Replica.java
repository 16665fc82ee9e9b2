package io.uniserve.runtime.server.replica;

import io.uniserve.api.Actor;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.UnusableFileException;
import io.uniserve.runtime.server.actor.EngineActors;
import io.uniserve.runtime.server.actor.ReplicaTarget;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.ReplicaFiles;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.engine.EngineThreads;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.OrderedMessage.MarkDelivery;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.ReplicationMessage.Sealed;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * This server's copy of one actor. It applies updates in order, and can be opened, replaced,
 * checkpointed and fenced. It knows nothing of other servers. Every change happens under one lock,
 * so updates have one order. Operators and readers of its status never take the lock. {@link
 * #reads}, {@link #split} and {@link #checkpoints} give the commands of these three concerns.
 */
public final class Replica {
  private final ReplicaState state;
  private final ReplicaFiles files;
  private final EngineActors actors;
  private final ReplicaOpening opening;
  private final ReplicaCounters counters = new ReplicaCounters();
  private final ReplicaCheckpoints checkpoints;
  private final ReplicaUpdates updates;
  private final ReplicaOrder order;
  private final ReplicaShortWay shortWay;
  private final ReplicaSplit split;
  private final ReplicaReads reads;
  private boolean closed;

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
    this.state = new ReplicaState(target);
    this.files = new ReplicaFiles(environment.storage(), directory);
    this.loading = files.isLoading();
    this.actors = new EngineActors(target, engines, engineThreads, files);
    this.reads = new ReplicaReads(state, actors);
    this.checkpoints = new ReplicaCheckpoints(state, environment.clock(), files);
    this.updates = new ReplicaUpdates(state, environment.clock(), actors, counters);
    this.order = new ReplicaOrder(state, actors, updates);
    this.shortWay = new ReplicaShortWay(state, actors, updates, counters);
    this.split = new ReplicaSplit(state, actors);
    this.opening = new ReplicaOpening(environment.storage(), files, actors, engines.logEntries());
  }

  public ReplicaTarget target() {
    return state.target();
  }

  public ReplicaCounters counters() {
    return counters;
  }

  public ReplicaFiles files() {
    return files;
  }

  /** Returns the replica's reads. */
  public ReplicaReads reads() {
    return reads;
  }

  /** Returns the replica's part in splits. */
  public ReplicaSplit split() {
    return split;
  }

  /** Returns the making of the replica's checkpoints. */
  public ReplicaCheckpoints checkpoints() {
    return checkpoints;
  }

  /**
   * Returns the lock that a thread holds while it deletes the replica's files; it is taken before
   * any other of the replica.
   */
  public ReentrantLock filesLock() {
    return state.filesLock();
  }

  /** Returns whether all of the actor's data is here and can be trusted. */
  public boolean held() {
    return !loading && state.trusted().isPresent();
  }

  /** Returns whether a part of the data is here, to which the rest can be loaded. */
  public boolean partlyHeld() {
    return loading && state.trusted().isPresent();
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
    Optional<ReplicaData> now = state.trusted();
    if (now.filter(data -> data.live().value().failed()).isPresent()) {
      state.lock();
      try {
        if (state.isTrusted(now.get())) {
          state.fail();
        }
      } finally {
        state.unlock();
      }
    }
    return state.broken();
  }

  /** Returns the transaction that is prepared here and not decided. */
  public Optional<OpenTransaction> undecided() {
    return state.opened().flatMap(ReplicaData::open);
  }

  /** Returns the position of the last update applied. */
  public Position position() {
    return state.opened().map(ReplicaData::position).orElse(Position.START);
  }

  public Role role() {
    return state.fence().role();
  }

  /** Returns the role as a word for people. */
  public String statusWord() {
    if (state.broken()) {
      return "failed";
    }
    if (damaged) {
      return "damaged";
    }
    return switch (state.fence().role()) {
      case Role.Leading leading -> "primary";
      case Role.HandingOver leaving -> "primary";
      case Role.Following following -> state.readable() ? "follower" : "loading";
      case Role.Idle idle -> "loading";
    };
  }

  /** Returns the space that the actor occupies; {@link Usage#NONE} while it is not open. */
  public Usage usage() {
    Optional<Shared<Actor>> live = state.opened().map(ReplicaData::live).filter(Shared::acquire);
    try {
      return live.map(actors::usage).orElse(Usage.NONE);
    } finally {
      live.ifPresent(Shared::release);
    }
  }

  /**
   * Returns the generation of the actor's keys; {@link ReplicaData#NONE} while it is not open, or
   * being split.
   */
  public int generation() {
    return state.opened().map(ReplicaData::generation).orElse(ReplicaData.NONE);
  }

  /**
   * Returns the time of the last update applied, in milliseconds since 1970; 0 while the replica is
   * not open.
   */
  public long timeMillis() {
    return state.opened().map(ReplicaData::timeMillis).orElse(0L);
  }

  /**
   * Creates the actor, new and empty.
   *
   * @param generation the generation of its keys
   */
  public void create(int generation) throws IOException {
    state.lock();
    try {
      requireNotClosed();
      hold(opening.create(generation));
    } finally {
      state.unlock();
    }
  }

  private void hold(ReplicaData opened) {
    state.hold(opened);
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
    state.lock();
    try {
      requireNotClosed();
      hold(making.with(opening));
      return files.newest().orElseThrow();
    } finally {
      state.unlock();
    }
  }

  /**
   * Opens this server's files: the newest checkpoint and the log after it. Returns false if there
   * are none.
   */
  public boolean open() throws IOException {
    state.lock();
    try {
      requireNotClosed();
      Optional<Checkpoint> newest = files.newest();
      if (newest.isPresent()) {
        hold(opening.open(newest.get(), state.doubted()));
        state.settleDoubt();
      }
      return newest.isPresent();
    } finally {
      state.unlock();
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
    state.filesLock().lock();
    state.lock();
    try {
      requireNotClosed();
      install(begun, placing, state.opened());
      state.trust();
    } finally {
      state.unlock();
      state.filesLock().unlock();
    }
  }

  /**
   * Replaces the data. The new data may be older than what was read here before, so reads stop
   * until the replica is level again.
   */
  private void install(Path begun, ReplicaFiles.Placing placing, Optional<ReplicaData> former)
      throws IOException {
    state.readable(false);
    try {
      former.ifPresent(ReplicaData::closeLog);
      hold(opening.open(placing.place(begun), false));
    } catch (IOException | RuntimeException e) {
      // The former files are gone, so the data that is still open no longer counts as the
      // replica's.
      state.fail();
      throw e;
    }
    former.ifPresent(ReplicaData::close);
  }

  /**
   * Applies an update that the primary alone decides: applied, appended, then visible to followers.
   *
   * @param generation the generation of the actor's keys, as far as the caller knows
   * @param partitioner the partitioner of the table
   * @return the update as it was applied, now or before under the same key
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} if this replica does not lead;
   *     if the key is too old, or was another update's; the engine's refusal; then nothing has
   *     changed
   * @throws OccupiedException if a transaction is prepared whose outcome is unknown
   */
  public AppliedKey update(
      int generation, Partitioner partitioner, UpdateKey key, Payload function, Payload records) {
    return updates.update(generation, partitioner, key, function, records);
  }

  /** Returns how many updates of this actor alone wait for their turn. */
  int updatesWaiting() {
    return updates.waiting() + shortWay.waiting();
  }

  /**
   * Drops, as the primary, the keys that splits have given to other actors, unless that is done. A
   * prepared transaction has keys of the whole actor: an old copy that lost much may have to learn
   * its outcome first.
   *
   * @param partitioner maps each key to its actor
   * @return true if something was dropped
   */
  public boolean retain(Partitioner partitioner) {
    return updates.retain(partitioner);
  }

  /**
   * Prepares an update as the primary, or a group of several. An actor has at most one transaction
   * that is prepared and not decided.
   *
   * @param partitioner the partitioner of the table
   * @throws OccupiedException if another is prepared
   * @throws UniserveException the engine's vote for abort, after which nothing has changed
   */
  public Preparation prepare(PrepareUpdate request, Partitioner partitioner) {
    return updates.prepare(request, partitioner);
  }

  /**
   * Commits a transaction as the primary.
   *
   * @param keys the keys of its updates
   * @return the updates as they were committed, now or before
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if the actor lost what it had
   *     prepared
   */
  public List<AppliedKey> commit(List<UpdateKey> keys, Commitment decided) {
    return updates.commit(keys, decided);
  }

  /** Aborts a transaction as the primary, if it is prepared; returns the position since then. */
  public Position abort(String transaction) {
    return updates.abort(transaction);
  }

  /**
   * Applies ordered updates, except those that the actor has, up to the first that it cannot apply
   * now. If a former actor, merged into this one, has applied an update under the same key, the
   * rest is applied.
   *
   * @param generation the generation of the actor's keys with which the updates were grouped
   * @param partitioner the partitioner of the table
   * @param deliveries the updates, in their order
   * @param marks the marks of reads, in their order
   * @throws UniserveException if this replica does not lead, or has yet to drop the keys that a
   *     split has given to others; nothing has changed
   */
  public Received receive(
      int generation,
      Partitioner partitioner,
      List<Delivery> deliveries,
      List<MarkDelivery> marks) {
    return order.receive(generation, partitioner, deliveries, marks);
  }

  /**
   * Takes updates of one session that come the short way into the actor's log, after what is there,
   * up to the first that it cannot apply now.
   *
   * @throws UniserveException if none of them may be taken: the batch's epoch is over, the actor
   *     was split or merged, or it lacks what comes before them
   */
  public ShortBatch.Taken take(ShortBatch batch) {
    return shortWay.take(batch);
  }

  /** Returns the newest item of the order in the actor's log; empty if the copy is not open. */
  public Optional<Mark> reach() {
    return state.trusted().map(data -> data.marks().reached());
  }

  /**
   * Waits until the actor's log has an item of the order, or a later one.
   *
   * @return false if it has not before the deadline
   */
  public boolean awaitReach(Mark item, Deadline deadline) throws InterruptedException {
    Optional<ReplicaData> data = state.trusted();
    return data.isPresent() && data.get().marks().await(item, deadline);
  }

  /** Returns whether the log has a mark that was asked for in an epoch. */
  public boolean isMarkedIn(long epoch) {
    return state.trusted().filter(data -> data.markedEpoch() == epoch).isPresent();
  }

  /**
   * Notes that a mark was asked for in an epoch, if this replica leads that epoch and its log has
   * the mark, or a later item.
   */
  public void markedIn(long epoch, Mark mark) {
    state.lock();
    try {
      state
          .trusted()
          .filter(data -> state.fence().role().equals(new Role.Leading(epoch)))
          .filter(data -> data.order().reach().compareTo(mark) >= 0)
          .ifPresent(data -> data.markedEpoch(epoch));
    } finally {
      state.unlock();
    }
  }

  /**
   * Returns the result of an ordered update that the actor has received; empty if it does not know
   * the update, or not any more.
   *
   * @throws UniserveException if this replica does not lead
   */
  public Optional<Result> recall(UpdateKey key) {
    return order.recall(key);
  }

  /**
   * Stops using the replica after the log could not be forced. It is unknown what the disk has of
   * the log, so the copy must be opened again.
   */
  public EngineFailedException unusable(UnusableFileException failure) {
    return updates.unusable(failure);
  }

  /**
   * Applies what the primary of an epoch sent, in its order. It applies nothing if this replica
   * follows another primary.
   *
   * @throws EngineFailedException if the engine fails, or refuses what it accepted at the primary
   */
  public void applyReplicated(long epoch, List<LogEntry> entries) {
    updates.applyReplicated(epoch, entries);
  }

  /**
   * Applies what the durable store has, in its order, before this replica leads or follows. It
   * fails as {@link #applyReplicated} does.
   */
  public void applyStored(List<LogEntry> entries) {
    updates.applyStored(entries);
  }

  /**
   * Forces everything applied up to a position to disk.
   *
   * @throws EngineFailedException if it is unknown what the disk has
   */
  public void force(Position upTo) throws IOException {
    updates.force(upTo);
  }

  /**
   * Forces everything applied so far to disk, if this replica is open.
   *
   * @throws EngineFailedException if it is unknown what the disk has
   */
  public void forceAll() throws IOException {
    updates.forceAll();
  }

  /**
   * Forces to disk what nobody may be told before it is there: a prepared transaction, updates that
   * their primary alone has decided, and updates of an ordered table, which the controllers forget
   * once they are told.
   */
  public void forcePromised() throws IOException {
    updates.forcePromised();
  }

  /** Returns whether this replica leads an epoch, and its log has a position. */
  public boolean has(long epoch, Position position) {
    return updates.has(epoch, position);
  }

  /** Notes that everything up to a position, which this replica has, is firm. */
  public void firm(Position position) {
    state.trusted().ifPresent(data -> data.firmness().firm(position));
  }

  /** Returns whether this replica leads an epoch, even if it takes no updates for a while. */
  public boolean leads(long epoch) {
    return updates.leads(epoch);
  }

  /**
   * Returns the entries that a follower at a position needs next; empty if it must load a
   * checkpoint.
   */
  public Optional<List<LogEntry>> after(long epoch, Position from, int bytesMax)
      throws IOException {
    return updates.after(epoch, from, bytesMax);
  }

  /**
   * Returns the same without waiting for the lock or the disk; empty, too, if that is not possible,
   * or if this replica does not lead the epoch.
   */
  public Optional<List<LogEntry>> recentAfter(long epoch, Position from, int bytesMax) {
    return updates.recentAfter(epoch, from, bytesMax);
  }

  /** Returns all pieces of the log, to be read without the replica's lock. */
  public List<ReplicaLog.Piece> logPieces() {
    return updates.logPieces();
  }

  /** Returns whether a piece is still a part of the log. */
  public boolean logHas(ReplicaLog.Piece piece) {
    return updates.logHas(piece);
  }

  /** Stops using the data, which cannot be trusted. */
  public void giveUp() {
    state.lock();
    try {
      state.fail();
    } finally {
      state.unlock();
    }
  }

  /** Closes an actor in doubt, so that it can be opened or fetched again. */
  public void reset() {
    state.lock();
    try {
      state.fail();
      state.close();
      state.trust();
    } finally {
      state.unlock();
    }
  }

  /**
   * Promises to accept nothing of an epoch below this one.
   *
   * @return the state that the replica has then; empty if that is not {@linkplain #known known}
   */
  public Optional<Sealed> seal(long epoch) {
    state.lock();
    try {
      state.fence().seal(epoch);
      return known() ? Optional.of(new Sealed(held(), position())) : Optional.empty();
    } finally {
      state.unlock();
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
    state.lock();
    try {
      boolean taken = held() && current.getAsBoolean() && state.fence().take(epoch, wanted);
      if (taken && wanted instanceof Role.Leading && undecided().isEmpty()) {
        state.opened().ifPresent(reads::begin);
      }
      return taken;
    } finally {
      state.unlock();
    }
  }

  /**
   * Stops accepting updates in an epoch that it leads, so that another copy can catch up.
   *
   * @return the position that no update comes after; empty if it leads no such epoch
   */
  public Optional<Position> beginHandOver(long epoch) {
    state.lock();
    try {
      return state.fence().handOver(epoch)
          ? state.opened().map(ReplicaData::position)
          : Optional.empty();
    } finally {
      state.unlock();
    }
  }

  /**
   * Ends a hand-over. If another copy is level, promises to accept nothing below the next epoch;
   * otherwise continues to lead.
   *
   * @param at the position that {@link #beginHandOver} returned
   * @return true if the promise is given
   */
  public boolean endHandOver(long epoch, Position at, boolean level, long next) {
    state.lock();
    try {
      boolean done = level && state.fence().handsOver(epoch) && position().equals(at);
      if (done) {
        state.fence().seal(next);
      } else {
        state.fence().keep(epoch);
      }
      return done;
    } finally {
      state.unlock();
    }
  }

  /**
   * Gives up the role, and answers no reads until the next role is assigned. Primaries have not
   * waited for this replica since its server was given up.
   */
  public void stepDown() {
    state.lock();
    try {
      state.fence().end();
      state.readable(false);
    } finally {
      state.unlock();
    }
  }

  /** Closes the replica for good. A thread that still works for it opens nothing any more. */
  public void close() {
    state.lock();
    try {
      closed = true;
      state.fail();
      state.close();
    } finally {
      state.unlock();
    }
  }

  private void requireNotClosed() {
    if (closed) {
      throw new UniserveException(
          ErrorCode.CANCELLED, state.target() + " is closed on this server");
    }
  }
}
