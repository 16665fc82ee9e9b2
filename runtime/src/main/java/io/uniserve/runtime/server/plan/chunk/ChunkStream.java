package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunk;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;

/**
 * The chunks of one scatter task and part in order. While one page is read the next is on its way,
 * so there are at most two. One thread reads it; any thread may cancel it.
 */
public final class ChunkStream {
  private static final FetchedChunks NOTHING = new FetchedChunks(java.util.List.of(), 0, false);

  private final ChunkSupply supply;
  private final Deadline deadline;
  private final int bytesMax;
  private final int attemptsMax;
  private FetchedChunks page = NOTHING;
  private int index;
  private volatile ChunkSupply.Asked asked;
  private volatile boolean cancelled;

  /**
   * @param bytesMax the most bytes of one page
   * @param attemptsMax the largest number of requests for a page
   */
  public ChunkStream(ChunkSupply supply, Deadline deadline, int bytesMax, int attemptsMax) {
    this.supply = supply;
    this.deadline = deadline;
    this.bytesMax = bytesMax;
    this.attemptsMax = attemptsMax;
    ask(0);
  }

  /**
   * Returns the current chunk; null after the last.
   *
   * @throws InputLostException if the chunks are not available any more
   */
  FetchedChunk peek() {
    while (index == page.chunks().size() && !page.last()) {
      page = next();
      index = 0;
      if (!page.last()) {
        ask(page.next());
      }
    }
    return index < page.chunks().size() ? page.chunks().get(index) : null;
  }

  void advance() {
    index++;
  }

  private void ask(long place) {
    asked = supply.ask(place, bytesMax);
    if (cancelled) {
      asked.cancel();
    }
  }

  private FetchedChunks next() {
    UniserveException failure = null;
    for (int attempt = 0; attempt < attemptsMax; attempt++) {
      if (attempt > 0) {
        ask(page.next());
      }
      try {
        return asked.page().await(deadline, "a page of chunks");
      } catch (UniserveException e) {
        if (cancelled
            || e instanceof InputLostException
            || e.code() == ErrorCode.INVALID_ARGUMENT) {
          throw e;
        }
        failure = e;
      }
    }
    throw new InputLostException("chunks cannot be fetched: " + failure.getMessage(), failure);
  }

  /** Cancels the stream. A thread that waits for a page fails. */
  public void cancel() {
    cancelled = true;
    asked.cancel();
  }
}
