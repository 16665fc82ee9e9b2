package io.uniserve.bench.loading;

/**
 * The port between the benchmark and a system that indexes documents. An instance serves one pass,
 * in a process of its own that has the documents at hand but has indexed none.
 */
public interface LoadTarget extends AutoCloseable {

  /** Returns the process whose CPU time is measured. */
  long processId();

  /**
   * Indexes every document and returns when all are on disk and can be found.
   *
   * @return the number of documents
   */
  long load();

  @Override
  void close();
}
