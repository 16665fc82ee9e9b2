package io.uniserve.runtime.wire.cluster;

import io.uniserve.runtime.wire.Position;
import java.util.List;

/**
 * What a table was restored from: a state of a table in the durable store.
 *
 * @param cluster the cluster that the table belonged to
 * @param table its identity there
 * @param cut the last position of each actor that is part of the state, by number
 */
public record TableOrigin(String cluster, long table, List<Position> cut) {
  /** Copies the list. */
  public TableOrigin {
    cut = List.copyOf(cut);
  }
}
