package io.uniserve.runtime.server.restore;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The plan to restore a table of transactions, so that each is restored on all its actors or on
 * none, see {@link TransactionCut}. An actor whose newest checkpoint is beyond the cut begins with
 * an older one.
 */
final class TransactionPlanner {
  private final String table;
  private final List<StoredPast> pasts;
  private final long millis;
  private final boolean recovers;
  private final Supplier<List<Commitment>> decided;

  private TransactionPlanner(
      String table,
      List<StoredPast> pasts,
      long millis,
      boolean recovers,
      Supplier<List<Commitment>> decided) {
    this.table = table;
    this.pasts = pasts;
    this.millis = millis;
    this.recovers = recovers;
    this.decided = decided;
  }

  /**
   * Plans a restore.
   *
   * @param table the name of the table, for messages
   * @param pasts the stored past of each actor, as of the moment
   * @param millis the moment; {@link Long#MAX_VALUE} for whatever there is
   * @param decided returns the last decision about each actor, by number, if they are known. It is
   *     asked after the logs are read
   * @return the end of each of the logs
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} if the store lacks part of a
   *     transaction that was decided by the moment; with {@link ErrorCode#NOT_FOUND} if it has such
   *     a part only in a later checkpoint
   */
  static List<Cut> plan(
      String table, List<StoredPast> pasts, long millis, Supplier<List<Commitment>> decided) {
    return new TransactionPlanner(table, pasts, millis, false, decided).plan();
  }

  /** Plans how a table continues after a loss, with whatever the store has; otherwise the same. */
  static List<Cut> recover(
      String table, List<StoredPast> pasts, Supplier<List<Commitment>> decided) {
    return new TransactionPlanner(table, pasts, Long.MAX_VALUE, true, decided).plan();
  }

  private List<Cut> plan() {
    long end = Long.MAX_VALUE;
    while (true) {
      List<TransactionCut.Line> lines = lines(end);
      TransactionCut cut = new TransactionCut(lines, millis, end);
      if (lines.stream().allMatch(line -> line.version() < cut.end())) {
        if (millis != Long.MAX_VALUE && cut.leavesOut()) {
          throw cut.isBridged() ? never() : notYet();
        }
        return cut.cuts();
      }
      end = cut.end();
    }
  }

  private List<TransactionCut.Line> lines(long end) {
    List<TransactionCut.Line> read = pasts.stream().map(past -> line(past, end)).toList();
    List<Commitment> last = decided.get();
    List<TransactionCut.Line> lines = new ArrayList<>();
    for (int i = 0; i < read.size(); i++) {
      int number = pasts.get(i).place().actor().number();
      lines.add(number < last.size() ? read.get(i).with(last.get(number)) : read.get(i));
    }
    return lines;
  }

  /**
   * Returns what the store has of one actor from a checkpoint on. A restore has all of it, or
   * fails.
   *
   * @param end a version that the checkpoint must not have
   */
  private TransactionCut.Line line(StoredPast newest, long end) {
    Predicate<Checkpoint> before =
        known -> end == Long.MAX_VALUE || newest.meta(known).version() < end;
    StoredPast past = recovers ? newest.reachingBackTo(before) : newest;
    Optional<Checkpoint> checkpoint = past.base(before);
    Set<Hash> keys = checkpoint.map(past::keys).orElse(Set.of());
    Position base = checkpoint.map(Checkpoint::position).orElse(Position.START);
    List<LogEntry> log = recovers ? past.entriesToGap(base) : past.entriesAfter(base);
    return new TransactionCut.Line(
        base,
        checkpoint.map(past::meta).map(CheckpointMeta::version).orElse(0L),
        keys,
        log,
        recovers ? Optional.empty() : bridge(past, base, keys, log),
        Commitment.NONE);
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
            + " yet: the durable store lacks a part of a transaction of that moment. Try again, or"
            + " restore as of an earlier moment, or without one");
  }
}
