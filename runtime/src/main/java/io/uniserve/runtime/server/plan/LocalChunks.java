package io.uniserve.runtime.server.plan;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Threads;
import io.uniserve.runtime.server.plan.chunk.ChunkSupply;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;
import io.uniserve.runtime.wire.plan.OutputId;

/**
 * Chunks on this server.
 *
 * @param threads the threads of this process
 * @param run that owns them
 * @param output the output of the scatter task
 * @param part the number of the part of it
 */
public record LocalChunks(Threads threads, Run run, OutputId output, int part)
    implements ChunkSupply {

  @Override
  public Asked ask(long place, int bytesMax) {
    Promise<FetchedChunks> page = new Promise<>(threads);
    try {
      page.complete(ChunkServing.page(run, output, part, place, bytesMax));
    } catch (UniserveException e) {
      page.fail(e);
    }
    return new Known(page);
  }

  private record Known(Promise<FetchedChunks> page) implements Asked {
    @Override
    public void cancel() {
      // the page was there at once
    }
  }
}
