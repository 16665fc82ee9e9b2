package io.uniserve.runtime.client.plan;

import io.uniserve.runtime.wire.PlanMessage.PartSize;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.plan.OutputId;
import java.util.List;

/** The output of a stage, and its place. */
sealed interface Product {
  /** Returns the engine whose types its operator is made of. */
  String engine();

  /**
   * Datasets.
   *
   * @param engine see {@link Product}
   * @param pieces the output of each task, ascending by the numbers of their datasets
   */
  record Datasets(String engine, List<Piece> pieces) implements Product {}

  /**
   * The datasets of one task.
   *
   * @param server that has them
   * @param output its name
   * @param firstNumber the first number of its datasets
   */
  record Piece(ServerState server, OutputId output, int firstNumber) {}

  /**
   * Chunks.
   *
   * @param engine see {@link Product}
   * @param piles the output of each task
   */
  record Chunks(String engine, List<Pile> piles) implements Product {}

  /**
   * The chunks of one scatter task.
   *
   * @param server that has them
   * @param output its name
   * @param parts that it has chunks of
   */
  record Pile(ServerState server, OutputId output, List<PartSize> parts) {}
}
