package io.uniserve.runtime.server;

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
 * one place in its order. An actor whose newest checkpoint is beyond that begins with an older one.
 */
final class OrderPlanner {
  private final List<StoredPast> pasts;
  private final Map<Checkpoint, CheckpointMeta> metas = new LinkedHashMap<>();

  private OrderPlanner(List<StoredPast> pasts) {
    this.pasts = pasts;
  }

  /**
   * The last position of each actor.
   *
   * @param pasts what the store has of the actors, in the order of their numbers, as of a moment
   */
  static List<Cut> cuts(List<StoredPast> pasts) {
    return new OrderPlanner(pasts).cuts();
  }

  private List<Cut> cuts() {
    long end = Long.MAX_VALUE;
    while (true) {
      List<OrderCut.Line> lines = new ArrayList<>();
      for (StoredPast past : pasts) {
        lines.add(line(past, end));
      }
      OrderCut cut = new OrderCut(lines, pasts.getFirst().millis(), end);
      if (lines.stream().allMatch(line -> line.order().last() < cut.end())) {
        return cut.cuts();
      }
      end = cut.end();
    }
  }

  /** From the newest checkpoint that has nothing that is left out. */
  private OrderCut.Line line(StoredPast past, long end) {
    Optional<Checkpoint> base = past.base(known -> meta(past, known).order().last() < end);
    Position from = base.map(Checkpoint::position).orElse(Position.START);
    ReceivedOrder.Stored order =
        base.map(known -> meta(past, known).order()).orElse(ReceivedOrder.Stored.NONE);
    return new OrderCut.Line(from, order, past.entriesAfter(from));
  }

  private CheckpointMeta meta(StoredPast past, Checkpoint checkpoint) {
    return metas.computeIfAbsent(checkpoint, past::meta);
  }
}
