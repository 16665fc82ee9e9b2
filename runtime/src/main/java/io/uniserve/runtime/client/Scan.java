package io.uniserve.runtime.client;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A scan under way: the records of a table, each once, in no order beyond that of one actor (PNUTS
 * §2). Pages are fetched ahead within a bound. A reader that stops reading stops the servers, too.
 * For one thread at a time, but any thread may close it. It must be closed.
 *
 * <p>The methods that return records wait for them. They fail with a {@link
 * io.uniserve.api.error.UniserveException} if records can be read no more, naming the actor.
 */
public interface Scan extends Iterator<Map<String, Object>>, AutoCloseable {
  /**
   * Returns the next blocks of records in the engine's own form, at least one, for {@link
   * io.uniserve.api.ScanPlan#reader}; empty at the end. Not to be mixed with {@link #next} within a
   * page.
   */
  Optional<List<ByteBuffer>> nextBlocks();

  /**
   * Returns where another scan of the same request can go on: after all pages that were given
   * wholly. Records of a page that {@link #next} has begun come again.
   */
  String cursor();

  /** Returns how far the scan is. */
  ScanProgress progress();

  /** Ends the scan, and frees everything that it holds anywhere. */
  @Override
  void close();
}
