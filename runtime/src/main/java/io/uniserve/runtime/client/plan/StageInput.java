package io.uniserve.runtime.client.plan;

import io.uniserve.api.ActorId;
import io.uniserve.api.Source;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.plan.StageTask.Where;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.ReadPoint;
import io.uniserve.runtime.wire.plan.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The input of a map, a scatter or a retrieve.
 *
 * @param engine the engine whose data it is
 * @param what a description for messages
 * @param tasks one for each input
 */
record StageInput(String engine, String what, List<StageTask> tasks) {

  /** Returns the actors of a table as input, each with a task of its number. */
  static StageInput of(Source.Table source, ClusterState state, PlanCluster cluster) {
    TableState table = state.requireTable(source.name());
    Optional<ReadPoint> point = cluster.pointOf(table);
    List<StageTask> tasks = new ArrayList<>();
    Partitioner partitioner = table.definition().partitioner();
    for (int number : partitioner.actorsOf(source.keys())) {
      ActorId actor = table.actorId(number);
      Input.OfActor input = new Input.OfActor(actor, partitioner.generation(number), point);
      tasks.add(new StageTask(number, input, new Where.AtCopyOf(actor)));
    }
    return new StageInput(table.definition().engine(), "table '" + source.name() + "'", tasks);
  }

  /**
   * Returns the output of another stage as input, where it is: each with a task of the number of
   * the task that made it.
   */
  static StageInput of(Product.Datasets data, int stage) {
    List<StageTask> tasks = new ArrayList<>();
    for (Product.Piece piece : data.pieces()) {
      tasks.add(
          new StageTask(
              piece.output().task(),
              new Input.OfOutput(piece.output(), piece.firstNumber()),
              new Where.On(piece.server().name())));
    }
    return new StageInput(data.engine(), "stage " + stage, tasks);
  }
}
