package io.uniserve.runtime.client.plan;

import io.uniserve.api.Operator;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.plan.Work;
import java.util.List;

/** The conversion of operators to the work of servers. */
final class StageWork {
  private final PlanCluster cluster;

  StageWork(PlanCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Returns the first of these engines whose types the operator is one of; if there is none, the
   * first.
   */
  String engineOf(Operator operator, List<String> candidates) {
    return candidates.stream()
        .filter(engine -> cluster.engines().types(engine).knows(operator.getClass()))
        .findFirst()
        .orElse(candidates.getFirst());
  }

  Work mapping(String engine, Operator operator) {
    return new Work.Mapping(Payload.of(engine, operator));
  }

  Work scattering(String engine, Operator operator, GatherShape shape) {
    return new Work.Scattering(Payload.of(engine, operator), shape.spread(), shape.parts());
  }

  Work gathering(String engine, Operator operator, GatherParts parts) {
    return new Work.Gathering(Payload.of(engine, operator), parts.sources());
  }

  Work retrieving(String engine, Operator operator) {
    return new Work.Retrieving(Payload.of(engine, operator));
  }
}
