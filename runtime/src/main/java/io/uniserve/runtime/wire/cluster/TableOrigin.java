package io.uniserve.runtime.wire.cluster;

import io.uniserve.runtime.wire.Position;
import java.util.List;

/**
 * What a table was restored from: a state of a table in the durable store.
 *
 * @param cluster the cluster that the table belonged to
 * @param table its identity there
 * @param cut up to where each actor is part of the state, by number
 */
public record TableOrigin(String cluster, long table, List<Cut> cut) {
  /** Copies the list. */
  public TableOrigin {
    cut = List.copyOf(cut);
  }

  /**
   * Up to where an actor's log is part of a state.
   *
   * @param last the last position
   * @param commits whether what was prepared there was committed, which this log does not say
   */
  public record Cut(Position last, boolean commits) {}
}
