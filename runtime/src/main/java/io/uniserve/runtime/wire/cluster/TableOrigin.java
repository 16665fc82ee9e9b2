package io.uniserve.runtime.wire.cluster;

import io.uniserve.runtime.wire.entry.Position;
import java.util.List;

/**
 * The origin of a restored table: a state of a table in the durable store.
 *
 * @param cluster the cluster that the table belonged to
 * @param table its identity there
 * @param cut the end of each actor's part of the state, by number
 */
public record TableOrigin(String cluster, long table, List<Cut> cut) {
  /** Copies the list. */
  public TableOrigin {
    cut = List.copyOf(cut);
  }

  /**
   * The end of an actor's log within a state.
   *
   * @param last the last position
   * @param commits true if the transaction prepared there was committed, which this log does not
   *     say
   */
  public record Cut(Position last, boolean commits) {}
}
