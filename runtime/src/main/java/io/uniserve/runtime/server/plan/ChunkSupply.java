package io.uniserve.runtime.server.plan;

import io.uniserve.kernel.Promise;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;

/** The chunks of one scatter task and part, wherever they are. */
interface ChunkSupply {
  /** Asks for the page at a place. */
  Asked ask(long place, int bytesMax);

  /** A page that was asked for. */
  interface Asked {
    /** What will come. */
    Promise<FetchedChunks> page();

    /** Nobody waits for it any more. */
    void cancel();
  }
}
