package io.uniserve.runtime.server.plan;

import io.uniserve.api.Dataset;
import java.util.List;

/** What one attempt at a task made. */
sealed interface Output {

  /**
   * What a map or a gather made.
   *
   * @param sets in the order of their numbers
   */
  record Datasets(List<Dataset> sets) implements Output {}

  /**
   * What a scatter made.
   *
   * @param pages its chunks
   */
  record Chunks(ChunkPages pages) implements Output {}
}
