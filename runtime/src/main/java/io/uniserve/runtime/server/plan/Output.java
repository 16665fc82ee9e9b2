package io.uniserve.runtime.server.plan;

import io.uniserve.api.Dataset;
import io.uniserve.runtime.server.plan.chunk.ChunkPages;
import java.util.List;
import java.util.Optional;

/** The output of one attempt at a task. */
sealed interface Output {

  /**
   * The output of a map or a gather.
   *
   * @param sets the sets, in the order of their numbers
   * @param anchor the actor that they were gathered at, and may go on to read, if any
   */
  record Datasets(List<Dataset> sets, Optional<PlanHost.ActorUse> anchor) implements Output {}

  /**
   * The output of a scatter.
   *
   * @param pages its chunks
   */
  record Chunks(ChunkPages pages) implements Output {}
}
