package io.uniserve.runtime.client.plan;

import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.plan.OutputId;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A collector of the places of a stage's chunks. */
final class PileCollector implements StageRun.Finisher {
  private final int stage;
  private final SortedMap<Integer, Product.Pile> piles = new TreeMap<>();

  PileCollector(int stage) {
    this.stage = stage;
  }

  @Override
  public void finished(StageTask task, ServerState server, TaskDone done) {
    OutputId output = new OutputId(stage, task.number(), task.attempt());
    piles.put(task.number(), new Product.Pile(server, output, done.parts()));
  }

  Product.Chunks chunks(String engine) {
    return new Product.Chunks(engine, List.copyOf(piles.values()));
  }
}
