package io.uniserve.runtime.server.restore;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The plan to restore a table of transactions, so that each is restored on all its actors or on
 * none, see {@link TransactionCut}. An actor whose newest checkpoint is beyond the cut begins with
 * an older one. If a split or merge made it beyond the cut, the table is restored as it was before
 * that change, from actors that had all of its data.
 */
final class TransactionPlanner {
  private final String table;
  private final long millis;
  private final boolean recovers;
  private final Supplier<List<Commitment>> decided;
  private final IntFunction<StoredPast> stored;
  private final Map<Integer, StoredPast> pasts = new TreeMap<>();
  private Partitioner shape;

  /** The version that is left out, with all after it. */
  private long end = Long.MAX_VALUE;

  /** The version that is left out since a split or merge before it is left out. */
  private long limit = Long.MAX_VALUE;

  private boolean changesLeftOut;

  /**
   * The result of planning.
   *
   * @param shape the actors
   * @param cuts the last position of each, by number. Nothing is restored of actors that had ended
   */
  record Planned(Partitioner shape, List<Cut> cuts) {}

  private TransactionPlanner(
      String table,
      Partitioner shape,
      long millis,
      boolean recovers,
      Supplier<List<Commitment>> decided,
      IntFunction<StoredPast> stored) {
    this.table = table;
    this.shape = shape;
    this.millis = millis;
    this.recovers = recovers;
    this.decided = decided;
    this.stored = stored;
  }

  /**
   * Plans a restore.
   *
   * @param table the name of the table, for messages
   * @param shape the actors at the moment
   * @param millis the moment; {@link Long#MAX_VALUE} for whatever there is
   * @param decided returns the last decision about each actor, by number, if they are known. It is
   *     asked after the logs are read
   * @param stored returns what the store has of an actor, by number, as of the moment
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} if the store lacks part of a
   *     transaction that was decided by the moment; with {@link ErrorCode#NOT_FOUND} if it has such
   *     a part only in a later checkpoint
   */
  static Planned plan(
      String table,
      Partitioner shape,
      long millis,
      Supplier<List<Commitment>> decided,
      IntFunction<StoredPast> stored) {
    return new TransactionPlanner(table, shape, millis, false, decided, stored).plan();
  }

  /** Plans how a table continues after a loss, with whatever the store has; otherwise the same. */
  static Planned recover(
      String table,
      Partitioner shape,
      Supplier<List<Commitment>> decided,
      IntFunction<StoredPast> stored) {
    return new TransactionPlanner(table, shape, Long.MAX_VALUE, true, decided, stored).plan();
  }

  private Planned plan() {
    while (true) {
      leaveOutLaterChanges();
      SortedMap<Integer, TransactionCut.Line> lines = lines();
      TransactionCut cut = new TransactionCut(List.copyOf(lines.values()), millis, end);
      List<Cut> cuts = cuts(lines.keySet(), cut.cuts());
      if (!lines.values().stream().allMatch(line -> line.version() < cut.end())) {
        end = cut.end();
      } else if (!leavesOutTornSplit(cuts)) {
        if (millis != Long.MAX_VALUE && (changesLeftOut || cut.leavesOut())) {
          throw cut.isBridged() ? never() : notYet();
        }
        return new Planned(shape, cuts);
      }
    }
  }

  /**
   * Leaves out a split if the store lacks what the actor had before it. The new actor has a part of
   * that.
   *
   * @return true if there is one
   */
  private boolean leavesOutTornSplit(List<Cut> cuts) {
    Optional<PartitionChange.Cut> split =
        shape.actorSplits().filter(one -> past(one.into()).hasMoreOf(one, cuts)).findFirst();
    split.ifPresent(this::leaveOut);
    return split.isPresent();
  }

  private List<Cut> cuts(Collection<Integer> numbers, List<Cut> each) {
    List<Cut> cuts =
        new ArrayList<>(Collections.nCopies(shape.actors(), new Cut(Position.START, false)));
    Iterator<Cut> next = each.iterator();
    numbers.forEach(number -> cuts.set(number, next.next()));
    return cuts;
  }

  private StoredPast past(int number) {
    return pasts.computeIfAbsent(number, stored::apply);
  }

  /**
   * Leaves out splits and merges that came after a transaction that is left out, and everything
   * after them. What came before them is in the logs of the actors that they concerned.
   */
  private void leaveOutLaterChanges() {
    Optional<PartitionChange> late;
    do {
      late =
          shape.history().stream()
              .filter(change -> shape.has(change.into()))
              .filter(change -> versionAtFirst(change) >= end)
              .findFirst();
      late.ifPresent(this::leaveOut);
    } while (late.isPresent());
  }

  private void leaveOut(PartitionChange change) {
    limit = Math.min(limit, versionAtFirst(change) + 1);
    end = limit;
    shape = ((Partitioner.Refined) shape).first(shape.history().indexOf(change));
    changesLeftOut = true;
  }

  /** Returns the version of an actor when it was made; 0 if the store does not tell. */
  private long versionAtFirst(PartitionChange change) {
    StoredPast past = past(change.into());
    return past.madeAt(change.timeMillis()).map(made -> past.meta(made).version()).orElse(0L);
  }

  private SortedMap<Integer, TransactionCut.Line> lines() {
    SortedMap<Integer, TransactionCut.Line> lines = new TreeMap<>();
    for (int number : shape.actorsOf(Keys.ALL)) {
      lines.put(number, line(past(number)));
    }
    List<Commitment> last = decided.get();
    lines.replaceAll((number, line) -> number < last.size() ? line.with(last.get(number)) : line);
    return lines;
  }

  /**
   * Returns what the store has of one actor from a checkpoint on that has nothing that is left out.
   * A restore has all of it, or fails.
   */
  private TransactionCut.Line line(StoredPast newest) {
    int generation = shape.generation(newest.place().actor().number());
    Predicate<Checkpoint> within = known -> isWithin(newest.meta(known), generation);
    StoredPast past = recovers ? newest.reachingBackTo(within) : newest;
    Optional<Checkpoint> checkpoint = past.base(within);
    Set<Hash> keys = checkpoint.map(past::keys).orElse(Set.of());
    Position base = checkpoint.map(Checkpoint::position).orElse(Position.START);
    List<LogEntry> log = recovers ? past.entriesToGap(base) : past.entriesAfter(base);
    return new TransactionCut.Line(
        generation,
        base,
        checkpoint.map(past::meta).map(CheckpointMeta::version).orElse(0L),
        keys,
        log,
        recovers ? Optional.empty() : bridge(past, base, keys, log),
        Commitment.NONE);
  }

  private boolean isWithin(CheckpointMeta meta, int generation) {
    return meta.version() < end && meta.generation() <= generation;
  }

  /** Returns the checkpoint with what follows a log that ends before the moment. */
  private Optional<TransactionCut.Bridge> bridge(
      StoredPast past, Position base, Set<Hash> keys, List<LogEntry> log) {
    if (log.stream().anyMatch(entry -> entry.timeMillis() > millis)) {
      return Optional.empty();
    }
    return past.bridge(log.isEmpty() ? base : log.getLast().position())
        .map(known -> bridge(past, known, keys, log));
  }

  private static TransactionCut.Bridge bridge(
      StoredPast past, Checkpoint known, Set<Hash> keys, List<LogEntry> log) {
    Set<Hash> behind = past.keys(known);
    behind.removeAll(keys);
    Optional<LogEntry.Prepare> last = Optional.empty();
    for (LogEntry entry : log) {
      if (entry instanceof LogEntry.Commit) {
        last.stream()
            .flatMap(prepare -> prepare.members().stream())
            .forEach(member -> behind.remove(member.key().name()));
      }
      last = entry instanceof LogEntry.Prepare prepare ? Optional.of(prepare) : Optional.empty();
    }
    return new TransactionCut.Bridge(behind, known.timeMillis() - UpdateKey.LIFETIME.toMillis());
  }

  private UniserveException never() {
    return new UniserveException(
        ErrorCode.NOT_FOUND,
        "table '"
            + table
            + "' cannot be restored as of "
            + Instant.ofEpochMilli(millis)
            + ": the durable store has a part of a transaction of that moment only in a later"
            + " checkpoint. Restore as of another moment, or without one");
  }

  private UniserveException notYet() {
    return new UniserveException(
        ErrorCode.UNAVAILABLE,
        "table '"
            + table
            + "' cannot be restored as of "
            + Instant.ofEpochMilli(millis)
            + " yet: the durable store lacks a part of a transaction of that moment, or of what an"
            + " actor had before it was split. Try again, or restore as of an earlier moment, or"
            + " without one");
  }
}
