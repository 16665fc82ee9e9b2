package io.uniserve.runtime.client.plan;

import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.OutputId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A collector of the places of a stage's datasets. */
final class DatasetCollector implements StageRun.Finisher {
  private record Made(StageTask task, ServerState server, OutputId output, int datasets) {}

  private final int stage;
  private final SortedMap<Integer, Made> made = new TreeMap<>();

  DatasetCollector(int stage) {
    this.stage = stage;
  }

  @Override
  public void finished(StageTask task, ServerState server, TaskDone done) {
    OutputId output = new OutputId(stage, task.number(), task.attempt());
    made.put(task.number(), new Made(task, server, output, done.figures().datasets()));
  }

  /** Returns the datasets, each with the number of its input. */
  Product.Datasets mapped(String engine) {
    List<Product.Piece> pieces = new ArrayList<>();
    for (Made each : made.values()) {
      int first =
          switch (each.task().input()) {
            case Input.OfActor of -> of.actor().number();
            case Input.OfOutput of -> of.firstNumber();
            case Input.OfChunks of -> throw new IllegalStateException("chunks are not mapped");
          };
      pieces.add(new Product.Piece(each.server(), each.output(), first));
    }
    return new Product.Datasets(engine, pieces);
  }

  /** Returns the datasets numbered from 0, part by part. */
  Product.Datasets gathered(String engine) {
    List<Product.Piece> pieces = new ArrayList<>();
    int next = 0;
    for (Made each : made.values()) {
      pieces.add(new Product.Piece(each.server(), each.output(), next));
      next = Math.addExact(next, each.datasets());
    }
    return new Product.Datasets(engine, pieces);
  }
}
