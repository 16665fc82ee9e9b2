package io.uniserve.runtime.client.plan;

import io.uniserve.runtime.wire.PlanMessage.PartSize;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.plan.OutputId;
import java.util.List;

/** What a stage has made, and where it is. */
sealed interface Product {
  /** The engine whose types its operator is made of. */
  String engine();

  /**
   * Datasets.
   *
   * @param engine see {@link Product}
   * @param pieces what each task made, ascending by the numbers of their datasets
   */
  record Datasets(String engine, List<Piece> pieces) implements Product {}

  /**
   * What one task made.
   *
   * @param server where it is
   * @param output its name
   * @param firstNumber of its datasets
   */
  record Piece(ServerState server, OutputId output, int firstNumber) {}

  /**
   * Chunks.
   *
   * @param engine see {@link Product}
   * @param piles what each task made
   */
  record Chunks(String engine, List<Pile> piles) implements Product {}

  /**
   * What one scatter task made.
   *
   * @param server where it is
   * @param output its name
   * @param parts that it has chunks of
   */
  record Pile(ServerState server, OutputId output, List<PartSize> parts) {}
}
