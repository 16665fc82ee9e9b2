package io.uniserve.runtime.client;

import io.uniserve.api.Plan;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A sequence of updates of an ordered table, of which many are under way at once (RB §5.4). Every
 * actor applies them in the order of their submission, each once, without a gap, whatever fails in
 * between. Updates of others may come between any two.
 *
 * <p>If the session {@linkplain #failed fails}, updates without an outcome may have been applied up
 * to some update, and none after it. Safe for use by many threads.
 */
public interface OrderedSession extends AutoCloseable {
  /**
   * Submits an update, each record of which goes to its actor. Returns before the update is
   * applied. If the session's window is full, it waits for room, or fails if the session's options
   * say so.
   *
   * @throws io.uniserve.api.error.UniserveException if the update cannot be one of this table, if
   *     there is no room, or with the session's failure; the update is not submitted then
   */
  <R extends PartitionedRecord> OrderedReceipt submit(
      UpdateFunction<?, R> function, List<? extends R> records);

  /** Submits an update without records to every actor, as {@link #submit} does. */
  OrderedReceipt submitAll(UpdateFunction<?, ?> function);

  /**
   * Reads at the session's next place in the order: after all that it submitted before, and before
   * all that it submits later (a sequential read, RB §6.7). Returns before the read has happened,
   * so that updates can be submitted meanwhile. If the session's window is full, it waits as {@link
   * #submit} does.
   *
   * @param plan a plan that changes nothing, and reads this table alone
   * @return the answer; fails retryably if the read's place can no longer be read
   * @throws io.uniserve.api.error.UniserveException as {@link #submit} does
   */
  default <R> CompletableFuture<R> read(Plan<R> plan, Duration timeout) {
    return read(plan, ReadLevel.SEQUENTIAL, timeout);
  }

  /**
   * Reads in the session's order, as above.
   *
   * @param level sequential; or snapshot, for a read that has no place in the log of the
   *     controllers, and that waits until all that was submitted before it is stable
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED} for a basic read, which is in no order; or as
   *     above
   */
  <R> CompletableFuture<R> read(Plan<R> plan, ReadLevel level, Duration timeout);

  /**
   * Waits until all updates that were submitted have an outcome, and what was attached to their
   * receipts has run. So it must not be called from there.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#DEADLINE_EXCEEDED}, or with the session's failure
   */
  void drain(Duration timeout);

  /** Returns whether the session has failed, so that it takes no more updates. */
  boolean failed();

  /** Ends the session. Updates without an outcome may or may not be applied. */
  @Override
  void close();
}
