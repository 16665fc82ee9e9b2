package io.uniserve.runtime.client;

import java.util.Iterator;

/**
 * A scan under way whose records come in an order over all actors. Two pages of each actor are kept
 * at most. For one thread at a time, but any thread may close it. It must be closed.
 *
 * <p>The methods that return records wait for them. They fail as those of {@link Scan} do.
 *
 * @param <T> the records
 */
public interface SortedScan<T> extends Iterator<T>, AutoCloseable {
  /**
   * Returns the number of records as the actors counted them when they were first read. Waits for
   * the first page of each actor.
   */
  long found();

  /** Returns whether the next record is here already, so that to ask for it waits for nothing. */
  boolean isReady();

  /** Ends the scan, and frees everything that it holds anywhere. */
  @Override
  void close();
}
