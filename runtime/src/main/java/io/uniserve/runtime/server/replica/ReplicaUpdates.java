package io.uniserve.runtime.server.replica;

import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.UnusableFileException;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.wire.TransactionMessage.Applied;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * All changes of a replica's actor, as entries of its log: those of its primary, and those of a
 * follower after it. All happen under the replica's lock, so updates have one order.
 */
public final class ReplicaUpdates {
  private final ReplicaTarget target;
  private final Clock clock;
  private final EngineActors actors;
  private final ReplicaCounters counters;
  private final ReentrantLock lock;
  private final EpochFence fence;
  private final Supplier<Optional<ReplicaData>> held;
  private final IntSupplier due;
  private final Runnable breakDown;

  /**
   * @param lock the replica's, under which its data changes
   * @param held returns its data, if it can be trusted
   * @param due returns the generation of the actor's keys in cluster state
   * @param breakDown called when the data cannot be trusted any more
   */
  ReplicaUpdates(
      ReplicaTarget target,
      Clock clock,
      EngineActors actors,
      ReplicaCounters counters,
      ReentrantLock lock,
      EpochFence fence,
      Supplier<Optional<ReplicaData>> held,
      IntSupplier due,
      Runnable breakDown) {
    this.target = target;
    this.clock = clock;
    this.actors = actors;
    this.counters = counters;
    this.lock = lock;
    this.fence = fence;
    this.held = held;
    this.due = due;
    this.breakDown = breakDown;
  }

  /**
   * Applies an eventual update as the primary: appended, applied, then visible to followers.
   *
   * @param generation of the actor's keys, as far as the caller knows
   * @param partitioner of the table
   * @return its position, or the former one if its key was seen before
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} if this replica does not lead;
   *     if the key is too old, or was another update's; the engine's refusal; then nothing has
   *     changed
   */
  public Position update(
      int generation, Partitioner partitioner, UpdateKey key, Payload function, Payload records) {
    requireLevel(target.definition().consistency() == Consistency.EVENTUAL);
    actors.check(function, records);
    lock.lock();
    try {
      fence.requireLeading();
      requireGeneration(generation);
      long timeMillis = now();
      Optional<AppliedKey> known = data().known(key);
      requireFit(key, known, timeMillis);
      Optional<Payload> rest = rest(partitioner, known, function, records);
      return rest.isEmpty()
          ? known.orElseThrow().position()
          : append(next -> new LogEntry.Update(next, timeMillis, key, function, rest.get()));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Requires that an update may be applied with its key, or was.
   *
   * @param known the update applied with that key
   * @param timeMillis when it is to be applied
   * @throws UniserveException if the key was another update's, or is not known and too old
   */
  static void requireFit(UpdateKey key, Optional<AppliedKey> known, long timeMillis) {
    known.ifPresentOrElse(
        before -> key.requireSame(before.body()), () -> key.requireLiving(timeMillis));
  }

  /**
   * Returns the records that have yet to be applied; empty if all were, under the same key. Of two
   * actors that were merged, one may have applied its own records only.
   *
   * @param partitioner of the table
   * @param known the update applied with that key
   */
  Optional<Payload> rest(
      Partitioner partitioner, Optional<AppliedKey> known, Payload function, Payload records) {
    if (known.isEmpty()) {
      return Optional.of(records);
    }
    return known.get().whole()
        ? Optional.empty()
        : actors.rest(function, records, partitioner, known.get().parts());
  }

  /**
   * Requires that the actor has the keys of a generation. A new epoch begins before its first
   * entry, which records a split.
   *
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} if the actor has, or is about to
   *     have, the keys of another generation
   */
  void requireGeneration(int generation) {
    if (data().generation() != generation || generation < due.getAsInt()) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING, target + " was split or merged, and has other keys now");
    }
  }

  /**
   * Drops, as the primary, the keys that splits have given to other actors, unless that is done. A
   * prepared transaction has keys of the whole actor: an old copy that lost much may have to learn
   * its outcome first.
   *
   * @param partitioner maps each key to its actor
   * @return whether something was dropped
   */
  public boolean retain(Partitioner partitioner) {
    int generation = partitioner.generation(target.id().number());
    lock.lock();
    try {
      fence.requireLeading();
      boolean behind = data().generation() < generation && data().open().isEmpty();
      if (behind) {
        // At any moment of a restore, the actor is whole, or both parts exist.
        long changedMillis = partitioner.changedMillis(target.id().number());
        long timeMillis = Math.max(changedMillis, data().timeMillis());
        append(next -> new LogEntry.Retain(next, timeMillis, partitioner, generation));
      }
      return behind;
    } finally {
      lock.unlock();
    }
  }

  /** The outcome of an attempt to prepare. */
  public sealed interface Preparation {
    /**
     * The actor has prepared.
     *
     * @param position of the entry
     * @param file has the entry, and must be forced before anybody relies on it
     */
    record Ready(Position position, FramedFile file) implements Preparation {}

    /**
     * A transaction with the same key was committed before.
     *
     * @param applied its key and position
     */
    record Known(Applied applied) implements Preparation {}

    /**
     * Another transaction is not decided yet.
     *
     * @param open that transaction
     */
    record Occupied(OpenTransaction open) implements Preparation {}
  }

  /**
   * Prepares an update as the primary. An actor has at most one prepared update that is not
   * decided.
   *
   * @param partitioner of the table
   * @throws UniserveException the engine's vote for abort, after which nothing has changed
   */
  public Preparation prepare(PrepareUpdate request, Partitioner partitioner) {
    requireLevel(target.definition().consistency().transactional());
    actors.check(request.function(), request.records());
    lock.lock();
    try {
      fence.requireLeading();
      requireGeneration(request.generation());
      ReplicaData data = data();
      Optional<AppliedKey> known = data.known(request.key());
      requireFit(request.key(), known, now());
      Optional<Payload> rest = rest(partitioner, known, request.function(), request.records());
      if (rest.isEmpty()) {
        Position position = known.orElseThrow().position();
        return new Preparation.Known(new Applied(position, data.version()));
      }
      if (data.open().isEmpty()) {
        append(next -> prepare(next, data.timeMillis(), request, rest.get()));
      } else if (!data.open().get().is(request.transaction())) {
        return new Preparation.Occupied(data.open().get());
      }
      return new Preparation.Ready(data.position(), data.newestFile());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the time of the next entry. Time never goes back, whatever this clock or that of a
   * former primary does.
   */
  private long now() {
    return Math.max(clock.now().toEpochMilli(), data().timeMillis());
  }

  private static LogEntry.Prepare prepare(
      Position next, long timeMillis, PrepareUpdate request, Payload records) {
    return new LogEntry.Prepare(
        next, timeMillis, request.transaction(), request.key(), request.function(), records);
  }

  /**
   * Commits a transaction as the primary.
   *
   * @param key of its update
   * @return where it was committed, now or before
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if the actor lost what it had
   *     prepared
   */
  public Position commit(UpdateKey key, Commitment decided) {
    lock.lock();
    try {
      fence.requireLeading();
      if (data().open().filter(open -> open.is(decided.transaction())).isPresent()) {
        long timeMillis = Math.max(decided.timeMillis(), data().timeMillis());
        return append(
            next ->
                new LogEntry.Commit(next, timeMillis, decided.transaction(), decided.version()));
      }
      return data()
          .known(key)
          .map(AppliedKey::position)
          .orElseThrow(
              () ->
                  new UniserveException(
                      ErrorCode.NOT_FOUND,
                      target + " has lost transaction " + decided.transaction()));
    } finally {
      lock.unlock();
    }
  }

  /** Aborts a transaction as the primary, if it is prepared; returns the position since then. */
  public Position abort(String transaction) {
    lock.lock();
    try {
      fence.requireLeading();
      if (data().open().filter(open -> open.is(transaction)).isPresent()) {
        long timeMillis = data().timeMillis();
        return append(next -> new LogEntry.Abort(next, timeMillis, transaction));
      }
      return data().position();
    } finally {
      lock.unlock();
    }
  }

  private void requireLevel(boolean has) {
    if (!has) {
      throw UniserveException.invalid(
          target + " has updates of level " + target.definition().consistency());
    }
  }

  /**
   * Appends an entry and applies it, as the primary.
   *
   * @throws UniserveException the engine's; nothing has changed
   */
  Position append(Function<Position, LogEntry> change) {
    ReplicaData data = data();
    Position next = new Position(fence.requireLeading(), data.position().sequence() + 1);
    LogEntry entry = change.apply(next);
    log(data, entry);
    try {
      apply(data, entry);
      return next;
    } catch (UniserveException e) {
      takeBack(data);
      throw e;
    }
  }

  private void log(ReplicaData data, LogEntry entry) {
    try {
      data.append(entry);
    } catch (EngineFailedException e) {
      breakDown.run();
      throw e;
    }
  }

  /**
   * Stops using the replica after the log could not be forced. It is unknown what the disk has of
   * the log, so the copy must be opened again.
   */
  public EngineFailedException unusable(UnusableFileException failure) {
    lock.lock();
    try {
      breakDown.run();
    } finally {
      lock.unlock();
    }
    return new EngineFailedException("log of " + target, failure);
  }

  private void takeBack(ReplicaData data) {
    try {
      data.takeBack();
    } catch (IOException e) {
      breakDown.run();
      throw new EngineFailedException("log of " + target, e);
    }
  }

  /**
   * Applies what the primary of an epoch sent, in its order. It applies nothing if this replica
   * follows another primary.
   *
   * @throws EngineFailedException if the engine fails, or refuses what it accepted at the primary
   */
  public void applyReplicated(long epoch, List<LogEntry> entries) {
    lock.lock();
    try {
      for (LogEntry entry : entries) {
        fence.requireFollowing(epoch);
        ReplicaData data = data();
        log(data, entry);
        applyLikePrimary(data, entry);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Applies what the durable store has, in its order, before this replica leads or follows. It
   * fails as {@link #applyReplicated} does.
   */
  public void applyStored(List<LogEntry> entries) {
    lock.lock();
    try {
      for (LogEntry entry : entries) {
        fence.requireIdle();
        ReplicaData data = data();
        log(data, entry);
        applyLikePrimary(data, entry);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Forces a prepared transaction to disk. Nobody may be told before that it is prepared here. */
  public void forcePrepared() throws IOException {
    Optional<FramedFile> file;
    lock.lock();
    try {
      file = held.get().filter(data -> data.open().isPresent()).map(ReplicaData::newestFile);
    } finally {
      lock.unlock();
    }
    if (file.isPresent()) {
      try {
        file.get().force();
      } catch (UnusableFileException e) {
        throw unusable(e);
      }
    }
  }

  private void applyLikePrimary(ReplicaData data, LogEntry entry) {
    try {
      apply(data, entry);
    } catch (EngineFailedException e) {
      throw e;
    } catch (UniserveException e) {
      takeBack(data);
      breakDown.run();
      throw new EngineFailedException("update of " + target + ", which the primary applied,", e);
    }
  }

  private void apply(ReplicaData data, LogEntry entry) {
    try {
      data.apply(entry);
      counters.updated();
    } catch (EngineFailedException e) {
      breakDown.run();
      throw e;
    }
  }

  /** Returns whether this replica leads an epoch, even if it takes no updates for a while. */
  public boolean leads(long epoch) {
    Role role = fence.role();
    return role.equals(new Role.Leading(epoch)) || role.equals(new Role.HandingOver(epoch));
  }

  /**
   * Returns the entries that a follower at a position needs next; empty if it must load a
   * checkpoint.
   */
  public Optional<List<LogEntry>> after(long epoch, Position from, int bytesMax)
      throws IOException {
    lock.lock();
    try {
      fence.requireFollowed(epoch);
      return data().after(from, bytesMax);
    } finally {
      lock.unlock();
    }
  }

  /** Returns all pieces of the log, to be read without the replica's lock. */
  public List<ReplicaLog.Piece> logPieces() {
    lock.lock();
    try {
      return held.get().map(ReplicaData::logPieces).orElse(List.of());
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether a piece is still a part of the log. */
  public boolean logHas(ReplicaLog.Piece piece) {
    lock.lock();
    try {
      return held.get().filter(data -> data.logHas(piece)).isPresent();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the replica's data. */
  ReplicaData data() {
    return held.get()
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.UNAVAILABLE, target + " is not open on this server"));
  }
}
