package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;
import io.uniserve.runtime.wire.PlanMessage.PartSize;
import java.util.List;

/** The chunks of one scatter task, divided into parts, each sorted by attribute. */
public interface ChunkPages extends AutoCloseable {
  /** Returns the parts that have chunks, ascending. */
  List<PartSize> parts();

  /** Returns how many chunks there are. */
  long chunks();

  /** Returns how many bytes the chunks have. */
  long bytes();

  /** Returns whether {@link #page} waits for a disk. */
  boolean onDisk();

  /**
   * Returns some chunks of a part, at least one if any are left.
   *
   * @param place 0, or the place that the page before returned
   * @throws io.uniserve.api.error.UniserveException if there is no such place, or the chunks cannot
   *     be read
   */
  FetchedChunks page(int part, long place, int bytesMax);

  @Override
  void close();
}
