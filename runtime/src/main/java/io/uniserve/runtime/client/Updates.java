package io.uniserve.runtime.client;

import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.List;

/** The updates of a cluster. They wait, within the deadline given, until they have an outcome. */
public interface Updates {
  /**
   * Sends each record to its actor. Actors are updated in parallel. Each update of an actor is
   * atomic; all of them together are not (DPA §4.3).
   */
  <R extends PartitionedRecord> UpdateReceipt update(
      String table,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options);

  /** Runs an update without records on every actor of a table. */
  UpdateReceipt updateAll(String table, UpdateFunction<?, ?> function, UpdateOptions options);

  /**
   * Begins a session of an ordered table, whose updates do not wait for each other. It costs
   * nothing until something is submitted.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED} if the table is of another level
   */
  OrderedSession session(String table, SessionOptions options);

  /** Requires that the caller may change the records of a table, before any work for it. */
  void requireWrite(String table);
}
