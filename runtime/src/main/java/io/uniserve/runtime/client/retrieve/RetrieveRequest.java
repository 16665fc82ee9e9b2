package io.uniserve.runtime.client.retrieve;

import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.Latencies;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.ReadPoint;
import java.util.List;
import java.util.Optional;

/**
 * The request that all calls of one query share.
 *
 * @param operator runs on every actor
 * @param brief true if the operator takes little time
 * @param point the point in the table's history that all actors answer for, if it is one
 * @param latencies the latencies of the table's calls, where each is recorded
 */
record RetrieveRequest(
    ClientContext client,
    TableState table,
    Payload operator,
    boolean brief,
    Optional<ReadPoint> point,
    Deadline deadline,
    Latencies latencies) {
  /** Returns the request for some actors. */
  Retrieve of(List<Integer> actors) {
    return new Retrieve(table.id(), actors, generations(actors), operator, brief, point);
  }

  private List<Integer> generations(List<Integer> actors) {
    Partitioner partitioner = table.definition().partitioner();
    return partitioner instanceof Partitioner.Refined
        ? actors.stream().map(partitioner::generation).toList()
        : List.of();
  }
}
