package io.uniserve.arrowrows;

import org.apache.arrow.vector.VectorSchemaRoot;

/** Takes the rows of an answer, on the thread that asks for it. */
public interface ArrowSink {
  /**
   * Takes some rows; waits while whoever they are for is behind. Called at least once, with the
   * same columns each time. The rows are others, or freed, after it has returned.
   *
   * @throws io.uniserve.api.error.UniserveException to end the query
   */
  void rows(VectorSchemaRoot rows);

  /**
   * Runs a task if the answer is not wanted any more: once, at once if that is so already, on any
   * thread. The task does not wait, and what it is about may have ended.
   */
  void whenCancelled(Runnable task);
}
