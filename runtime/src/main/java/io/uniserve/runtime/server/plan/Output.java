package io.uniserve.runtime.server.plan;

import io.uniserve.api.Dataset;
import java.util.List;
import java.util.Optional;

/** What one attempt at a task made. */
sealed interface Output {

  /**
   * What a map or a gather made.
   *
   * @param sets in the order of their numbers
   * @param anchor the actor that they were gathered at, and may go on to read, if any
   */
  record Datasets(List<Dataset> sets, Optional<PlanHost.ActorUse> anchor) implements Output {}

  /**
   * What a scatter made.
   *
   * @param pages its chunks
   */
  record Chunks(ChunkPages pages) implements Output {}
}
