package io.uniserve.bench.loading;

/**
 * The port between the benchmark and something that takes documents in: one pass of it, in a
 * process of its own that has the documents at hand but has indexed none.
 */
public interface LoadTarget extends AutoCloseable {

  /** The process whose CPU is measured. */
  long processId();

  /**
   * Takes every document in; returns when all are on disk and can be found.
   *
   * @return how many documents these were
   */
  long load();

  @Override
  void close();
}
