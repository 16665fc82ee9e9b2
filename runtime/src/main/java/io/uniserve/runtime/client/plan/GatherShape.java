package io.uniserve.runtime.client.plan;

import io.uniserve.api.Source;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.plan.Spread;
import java.util.List;
import java.util.Optional;

/**
 * The division of a gather's attributes into parts.
 *
 * @param spread the parts
 * @param parts the only ones that are wanted; empty for all
 * @param nowhere true if none is wanted
 * @param anchor the table that stays in place, if any
 */
record GatherShape(
    Spread spread, List<Integer> parts, boolean nowhere, Optional<TableState> anchor) {
  /**
   * The number of parts of a gather without an anchor, which is more than most clusters have
   * servers.
   */
  private static final int PARTS = 64;

  /**
   * @param kept the part of the plan that is kept, if any is
   */
  static GatherShape of(Source.Gathered gather, ClusterState state, Optional<KeptSource> kept) {
    if (gather.anchor().isEmpty()) {
      Spread spread =
          kept.flatMap(source -> source.spreadOf(gather)).orElse(new Spread.ByHash(PARTS));
      return new GatherShape(spread, List.of(), false, Optional.empty());
    }
    Source.Table source = gather.anchor().get();
    TableState table = state.requireTable(source.name());
    Partitioner partitioner = table.definition().partitioner();
    boolean everywhere =
        source.keys() instanceof Keys.All && partitioner.living() == partitioner.actors();
    List<Integer> parts = everywhere ? List.of() : List.copyOf(partitioner.actorsOf(source.keys()));
    boolean nowhere = parts.isEmpty() && !everywhere;
    return new GatherShape(new Spread.AsActors(partitioner), parts, nowhere, Optional.of(table));
  }

  /** Returns the engine of the anchor. */
  Optional<String> engine() {
    return anchor.map(table -> table.definition().engine());
  }
}
