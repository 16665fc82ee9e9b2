package io.uniserve.runtime.server;

import io.uniserve.api.Partitioner;
import io.uniserve.runtime.store.BackupPlace;
import io.uniserve.runtime.store.HistoryItem.Checkpoint;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out what is to be restored of a table of ordered updates so that all its actors are as of
 * one place in its order. An actor whose newest checkpoint is beyond that begins with an older one;
 * if it was beyond that when a split made it, the table is restored as before that split, which had
 * all that there was of the actor.
 */
final class OrderPlanner {
  private final List<StoredPast> pasts;
  private final Map<Stored, CheckpointMeta> metas = new LinkedHashMap<>();
  private Partitioner shape;
  private long end = Long.MAX_VALUE;

  private record Stored(BackupPlace place, Checkpoint checkpoint) {}

  /**
   * What is to be restored.
   *
   * @param shape the actors
   * @param cuts the last position of each
   */
  record Planned(Partitioner shape, List<Cut> cuts) {}

  private OrderPlanner(Partitioner shape, List<StoredPast> pasts) {
    this.shape = shape;
    this.pasts = pasts;
  }

  /**
   * Plans.
   *
   * @param shape the actors at a moment
   * @param pasts what the store has of them, in the order of their numbers, as of the moment
   */
  static Planned plan(Partitioner shape, List<StoredPast> pasts) {
    return new OrderPlanner(shape, pasts).plan();
  }

  private Planned plan() {
    while (true) {
      shape = beforeLaterSplits();
      List<OrderCut.Line> lines = new ArrayList<>();
      for (StoredPast past : pasts.subList(0, shape.actors())) {
        lines.add(line(past));
      }
      OrderCut cut = new OrderCut(lines, pasts.getFirst().millis(), end);
      if (lines.stream().allMatch(line -> line.order().last() < cut.end())) {
        return new Planned(shape, cut.cuts());
      }
      end = cut.end();
    }
  }

  /** Without the first split that came after something that is left out, and what came after it. */
  private Partitioner beforeLaterSplits() {
    int first = shape.base().actors();
    for (int number = first; number < shape.actors(); number++) {
      if (beginsTooLate(pasts.get(number), shape.history().get(number - first).timeMillis())) {
        return ((Partitioner.Refined) shape).first(number - first);
      }
    }
    return shape;
  }

  /**
   * Whether an actor had got something that is left out when it was made. What came later has a
   * later time: without a checkpoint of that time, nobody knows.
   */
  private boolean beginsTooLate(StoredPast past, long madeMillis) {
    List<Checkpoint> checkpoints = past.history().checkpoints();
    return !checkpoints.isEmpty()
        && checkpoints.getLast().timeMillis() == madeMillis
        && meta(past, checkpoints.getLast()).order().last() >= end;
  }

  /** From the newest checkpoint that has nothing that is left out, and no split that is. */
  private OrderCut.Line line(StoredPast past) {
    int generation = shape.generation(past.place().actor().number());
    Optional<Checkpoint> base = past.base(known -> isWithin(meta(past, known), generation));
    Position from = base.map(Checkpoint::position).orElse(Position.START);
    ReceivedOrder.Stored order =
        base.map(known -> meta(past, known).order()).orElse(ReceivedOrder.Stored.NONE);
    return new OrderCut.Line(generation, from, order, past.entriesAfter(from));
  }

  private boolean isWithin(CheckpointMeta meta, int generation) {
    return meta.order().last() < end && meta.generation() <= generation;
  }

  private CheckpointMeta meta(StoredPast past, Checkpoint checkpoint) {
    return metas.computeIfAbsent(
        new Stored(past.place(), checkpoint), absent -> past.meta(checkpoint));
  }
}
