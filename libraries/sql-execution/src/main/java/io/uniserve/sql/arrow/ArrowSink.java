package io.uniserve.sql.arrow;

import org.apache.arrow.vector.VectorSchemaRoot;

/** The receiver of the rows of an answer, on the thread that asks for it. */
public interface ArrowSink {
  /**
   * Takes some rows, and waits while their reader is behind. Called at least once, with the same
   * columns each time. The rows are overwritten or freed after it returns.
   *
   * @throws io.uniserve.api.error.UniserveException to end the query
   */
  void rows(VectorSchemaRoot rows);

  /**
   * Runs a task once if the answer is not wanted any more, at once if that is so already. Any
   * thread may run it. The task must not wait, and the work that it cancels may have ended.
   */
  void whenCancelled(Runnable task);
}
