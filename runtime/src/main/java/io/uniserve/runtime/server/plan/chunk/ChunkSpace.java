package io.uniserve.runtime.server.plan.chunk;

import java.util.concurrent.atomic.AtomicLong;

/** The memory for scattered chunks on one server. */
public final class ChunkSpace {
  private final long bytesMax;
  private final AtomicLong taken = new AtomicLong();

  public ChunkSpace(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Takes memory. A caller that finds the space {@link #full} gives back what it can. */
  void take(long bytes) {
    taken.addAndGet(bytes);
  }

  void give(long bytes) {
    taken.addAndGet(-bytes);
  }

  boolean full() {
    return taken.get() > bytesMax;
  }

  public long taken() {
    return taken.get();
  }
}
