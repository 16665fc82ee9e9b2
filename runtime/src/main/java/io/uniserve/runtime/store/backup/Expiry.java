package io.uniserve.runtime.store.backup;

import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.store.backup.HistoryItem.EpochStart;
import io.uniserve.runtime.store.backup.HistoryItem.Gap;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.wire.entry.Position;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The items of a history that nobody can need any more. A restore of a moment after the horizon
 * finds a checkpoint before it and the whole log since.
 *
 * <p>Older than the log since the last checkpoint, checkpoints only shorten restores. Of those, one
 * is kept for each of {@value #KEPT_CHECKPOINTS} parts of the retained time. A checkpoint that the
 * log does not lead to is kept, since what follows it can only be restored from there.
 */
final class Expiry {
  private static final int KEPT_CHECKPOINTS = 48;

  private final History history;
  private final long horizonMillis;
  private final long partMillis;

  /**
   * @param horizonMillis the earliest moment that may still be restored
   * @param nowMillis the present
   */
  Expiry(History history, long horizonMillis, long nowMillis) {
    this.history = history;
    this.horizonMillis = horizonMillis;
    this.partMillis = Math.max(1, (nowMillis - horizonMillis) / KEPT_CHECKPOINTS);
  }

  /** Returns the items that can be deleted. */
  List<HistoryItem> expired() {
    if (history.isEmpty()) {
      return List.of();
    }
    List<Checkpoint> checkpoints = history.checkpoints();
    Checkpoint base = history.checkpointBy(horizonMillis).orElse(null);
    Set<HistoryItem> expired = new LinkedHashSet<>(thinned(checkpoints));
    if (base != null) {
      expired.remove(base);
      expired.addAll(before(base));
    }
    expired.addAll(former());
    return List.copyOf(expired);
  }

  /**
   * Returns the items before an epoch that did not continue from them. They serve only moments
   * before that epoch, once the epoch has its first checkpoint.
   */
  private List<HistoryItem> former() {
    EpochStart first = history.epochs().getFirst();
    return first.openedMillis() > horizonMillis || !history.hasBase()
        ? List.of()
        : history.items().stream().filter(item -> item.writer() < first.writer()).toList();
  }

  /**
   * Returns the items before a checkpoint. The record of its writer's epoch is needed as long as
   * the checkpoint is: without it, the checkpoint belongs to no history.
   */
  private List<HistoryItem> before(Checkpoint base) {
    long sequence = base.position().sequence();
    List<HistoryItem> before = new ArrayList<>();
    for (Checkpoint checkpoint : history.checkpoints()) {
      if (checkpoint.position().sequence() < sequence) {
        before.add(checkpoint);
      }
    }
    for (HistoryItem item : history.items()) {
      if (item instanceof Log log && log.last().sequence() <= sequence) {
        before.add(log);
      }
      if (item instanceof Gap gap && gap.last().sequence() <= sequence) {
        before.add(gap);
      }
    }
    for (EpochStart epoch : history.epochs()) {
      if (epoch.writer() < base.writer()) {
        before.add(epoch);
      }
    }
    return before;
  }

  /** Thins checkpoints out. The newest two are always kept, so that damage of one is survived. */
  private List<Checkpoint> thinned(List<Checkpoint> newestFirst) {
    List<Checkpoint> thinned = new ArrayList<>();
    long part = Long.MAX_VALUE;
    for (int i = 0; i < newestFirst.size(); i++) {
      long its = newestFirst.get(i).timeMillis() / partMillis;
      if (i > 1 && its == part && isLedTo(newestFirst, i)) {
        thinned.add(newestFirst.get(i));
      }
      part = its;
    }
    return thinned;
  }

  /** Returns whether the whole log exists from the checkpoint before, or from the empty actor. */
  private boolean isLedTo(List<Checkpoint> newestFirst, int i) {
    boolean oldest = i == newestFirst.size() - 1;
    Position from = oldest ? Position.START : newestFirst.get(i + 1).position();
    return (!oldest || history.beginsEmpty())
        && history.logAfter(from, newestFirst.get(i).position().sequence()).isPresent();
  }
}
