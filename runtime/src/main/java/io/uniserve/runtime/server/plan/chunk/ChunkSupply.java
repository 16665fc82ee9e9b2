package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.kernel.Promise;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;

/** The chunks of one scatter task and part, wherever they are. */
public interface ChunkSupply {
  /** Requests the page at a place. */
  Asked ask(long place, int bytesMax);

  /** A requested page. */
  interface Asked {
    /** Returns the promise of the page. */
    Promise<FetchedChunks> page();

    /** Cancels the request, since nobody waits for it any more. */
    void cancel();
  }
}
