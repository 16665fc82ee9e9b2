package io.uniserve.runtime.server.restore;

import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One actor of a random table: its log, and what of that the durable store has. */
abstract class StoredLine {
  final int actor;

  /** The position that its log begins after. */
  final Position base;

  final long madeMillis;
  final List<LogEntry> log = new ArrayList<>();

  /** The number of entries that were offered to the store, and that it has as log objects. */
  int stored;

  /** The indexes of entries that it has only in a checkpoint. */
  final Set<Integer> passedOver = new HashSet<>();

  private final OrderStoreFixture store;

  /** The time since which the store may have had each entry, by index. */
  private final List<Long> visibleSince = new ArrayList<>();

  private long epoch;
  private long opened;
  private int generation;
  private Position checkpointed;

  /** Creates an actor that the table began with. */
  StoredLine(OrderStoreFixture store, int actor) {
    this.store = store;
    this.actor = actor;
    base = Position.START;
    checkpointed = base;
    madeMillis = 0;
    epoch = 1;
  }

  /** Creates an actor that was made of others, of which the store has the first checkpoint. */
  StoredLine(OrderStoreFixture store, int actor, CheckpointMeta made) {
    this.store = store;
    this.actor = actor;
    base = made.position();
    checkpointed = base;
    madeMillis = made.timeMillis();
    generation = made.generation();
    epoch = base.epoch();
    opened = epoch;
  }

  /** Returns the runtime's data of a checkpoint at the end of the log. */
  abstract CheckpointMeta meta();

  /** Returns the keys of the updates that the actor has applied. */
  abstract List<UpdateKey> applied();

  /** Begins an epoch of another primary, which has all of the log. */
  void lead(long next) {
    epoch = next;
  }

  /** Begins the actor's next epoch, in which it has fewer keys. */
  void keep(long next, Retained retained) {
    lead(next);
    generation = retained.generation();
    log.add(
        new LogEntry.Retain(
            next(),
            Math.max(retained.millis(), lastMillis()),
            retained.partitioner(),
            retained.generation()));
  }

  int generation() {
    return generation;
  }

  Position next() {
    return new Position(epoch, end().sequence() + 1);
  }

  Position end() {
    return log.isEmpty() ? base : log.getLast().position();
  }

  long lastMillis() {
    return log.isEmpty() ? madeMillis : log.getLast().timeMillis();
  }

  /** Returns the position up to which the store has the log. */
  Position storedEnd() {
    return stored == 0 ? base : log.get(stored - 1).position();
  }

  boolean isBehind() {
    return stored < log.size();
  }

  void store() {
    if (!isBehind()) {
      return;
    }
    takeOver();
    while (isBehind()) {
      long written = log.get(stored).position().epoch();
      List<LogEntry> run =
          log.stream()
              .skip(stored)
              .takeWhile(entry -> entry.position().epoch() == written)
              .toList();
      store.append(actor, epoch, storedEnd(), run);
      run.forEach(entry -> visibleSince.add(entry.timeMillis()));
      stored += run.size();
    }
  }

  private void takeOver() {
    if (opened < epoch) {
      store.open(actor, epoch, storedEnd(), lastMillis());
      opened = epoch;
    }
  }

  void storeWithCheckpoint() throws IOException {
    store();
    checkpoint();
  }

  /** Stores a checkpoint instead of the log since the last object. */
  void passOver() throws IOException {
    if (isBehind() && opened > 0) {
      takeOver();
      store.gap(actor, epoch, storedEnd(), end());
      while (visibleSince.size() < log.size()) {
        passedOver.add(visibleSince.size());
        visibleSince.add(lastMillis());
      }
      stored = log.size();
    }
    if (opened > 0) {
      checkpoint();
    }
  }

  private void checkpoint() throws IOException {
    if (!end().equals(checkpointed)) {
      takeOver();
      store.checkpoint(actor, epoch, meta(), applied());
      checkpointed = end();
    }
  }

  /** Returns the entries that the store may have had by a moment. */
  Stream<LogEntry> visibleBy(long moment) {
    return IntStream.range(0, stored).filter(i -> isVisible(i, moment)).mapToObj(log::get);
  }

  /** Returns whether the store may have had an entry that it has, by a moment. */
  boolean isVisible(int index, long moment) {
    return visibleSince.get(index) <= moment;
  }

  /** Returns the entries that the store has only in checkpoints of after a moment. */
  Stream<LogEntry> passedOverAt(long moment) {
    return passedOver.stream().filter(i -> !isVisible(i, moment)).map(log::get);
  }

  /** Returns whether the store had some entries only in a checkpoint by a moment. */
  boolean isBridgedBy(long moment) {
    return passedOver.stream().anyMatch(i -> isVisible(i, moment));
  }

  /** Returns the entries up to a position. */
  List<LogEntry> upTo(Position last) {
    return log.stream().filter(entry -> entry.position().compareTo(last) <= 0).toList();
  }

  /** Returns what an entry is, for messages. */
  abstract String describe(LogEntry entry);

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("actor ").append(actor).append(" from ").append(base);
    text.append(" at ").append(madeMillis).append(":\n");
    for (int i = 0; i < log.size(); i++) {
      LogEntry entry = log.get(i);
      text.append("  ")
          .append(entry.position())
          .append(" at ")
          .append(entry.timeMillis())
          .append(entry instanceof LogEntry.Retain ? " retain" : describe(entry))
          .append(passedOver.contains(i) ? ", in a checkpoint" : "")
          .append(i < stored ? "\n" : ", not stored\n");
    }
    return text.toString();
  }
}
