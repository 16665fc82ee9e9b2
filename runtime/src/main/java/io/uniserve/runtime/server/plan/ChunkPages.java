package io.uniserve.runtime.server.plan;

import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;
import io.uniserve.runtime.wire.PlanMessage.PartSize;
import java.util.List;

/** The chunks of one scatter task, divided into parts, each sorted by attribute. */
interface ChunkPages extends AutoCloseable {
  /** The parts that have chunks, ascending. */
  List<PartSize> parts();

  /** How many chunks there are. */
  long chunks();

  /** How many bytes these have. */
  long bytes();

  /** Whether {@link #page} waits for a disk. */
  boolean onDisk();

  /**
   * Some chunks of a part, at least one if there are any left.
   *
   * @param place 0, or what the page before says
   * @throws io.uniserve.api.UniserveException if there is no such place, or they cannot be read
   */
  FetchedChunks page(int part, long place, int bytesMax);

  @Override
  void close();
}
