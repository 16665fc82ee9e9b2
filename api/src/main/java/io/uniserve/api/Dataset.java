package io.uniserve.api;

/**
 * Data on one server that operators can read: an {@link Actor} of a table, or data that an earlier
 * operator of the same query materialised (DPA §3.3). Operators may read one dataset from several
 * threads at once.
 */
public interface Dataset extends AutoCloseable {

  /**
   * Returns the memory and disk space that this dataset occupies now. Called often; must be cheap
   * and must not wait for updates.
   */
  Usage usage();

  /**
   * Releases memory, files and threads. Called once, after the last operator on it has ended. By
   * default nothing happens, which is enough for data on the heap alone.
   */
  @Override
  default void close() {}
}
