package io.uniserve.runtime.server.plan;

import io.uniserve.runtime.server.plan.chunk.ChunkFiles;
import io.uniserve.runtime.server.plan.chunk.ChunkSpace;
import io.uniserve.runtime.server.plan.chunk.PlanSettings;

/**
 * The resources that all tasks on one server share.
 *
 * @param host the server
 * @param settings bounds
 * @param materialized the datasets that are held
 * @param space the memory of scattered chunks
 * @param files those chunks for which there is no memory
 */
record PlanResources(
    PlanHost host,
    PlanSettings settings,
    Materialized materialized,
    ChunkSpace space,
    ChunkFiles files) {
  PlanResources(PlanHost host, PlanSettings settings) {
    this(
        host,
        settings,
        new Materialized(host.workers(), settings.datasetBytesMax()),
        new ChunkSpace(settings.chunkBytesMax()),
        new ChunkFiles(host.environment().storage()));
  }
}
