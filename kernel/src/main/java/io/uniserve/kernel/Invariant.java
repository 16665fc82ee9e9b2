package io.uniserve.kernel;

import java.util.function.Supplier;

/**
 * A condition that always holds in a cluster. The simulator checks all invariants after every step.
 * Production checks the cheap ones where the state changes, and stops the process if one is broken.
 */
public enum Invariant {
  /** An acknowledged update survives every failure that its table's settings promise to survive. */
  ACKNOWLEDGED_SURVIVES,
  /** All copies of an actor apply the same updates in the same order. */
  SAME_ORDER_ON_COPIES,
  /**
   * A serializable update is applied on all its actors and copies or on none; a table's updates
   * have one order.
   */
  ATOMIC_UPDATES,
  /**
   * An update whose caller gave no idempotency key, and whose failure is said to be retryable, has
   * not happened: whoever sends it again, as he is told, does not have it done twice.
   */
  SAFE_RETRIES,
  /** A read that starts after a serializable or ordered update was acknowledged sees it. */
  READ_AFTER_ACKNOWLEDGEMENT,
  /** A snapshot read sees one version across all actors. */
  ONE_VERSION,
  /**
   * An answer includes every addressed actor exactly once, or names the missing ones, or the query
   * fails.
   */
  EXACT_ANSWER,
  /**
   * Only a complete copy becomes a primary: one with every acknowledged update that all readable
   * copies had. A copy from the durable store may lead if the store has these updates, too, or if
   * an operator accepted the loss.
   */
  COMPLETE_COPIES_LEAD,
  /**
   * An actor has a primary within half a minute if a living server has a complete copy of it and a
   * majority of the control nodes can reach that server.
   */
  COMPLETE_COPIES_ARE_LED,
  /**
   * Each actor has at most one primary in an epoch; no update of an older epoch is acknowledged.
   */
  ONE_PRIMARY,
  /**
   * Ordered messages reach exactly the destinations of the configuration, in the same order
   * everywhere, without gaps and duplicates.
   */
  TOTAL_ORDER,
  /** A move never leaves an actor with fewer readable copies than before it began. */
  MOVES_KEEP_COPIES,
  /**
   * The changes of a ring are made in the order in which they were submitted, each at most once.
   */
  RING_CHANGES_IN_ORDER,
  /** On a ring at rest, each range of keys has its copies on its owner and on its successors. */
  RING_SUCCESSORS_HOLD,
  /**
   * Each record of a topic that is read into a table is there exactly once, and those of a
   * partition are applied in their order.
   */
  STREAM_RECORDS_ONCE,
  /** Queries that have ended leave nothing behind on any server. */
  NOTHING_LEFT_BEHIND,
  /** A published assignment meets the replication factor, memory limits and pins. */
  VALID_ASSIGNMENT,
  /**
   * No query and no update fails while one process at a time is down or unreachable, provided that
   * every actor had two readable copies before.
   */
  AVAILABLE,
  /** Once faults stop, everything pending finishes. */
  PROGRESS;

  /**
   * Checks the invariant where its state changes.
   *
   * @param holds true if it holds
   * @param detail describes what broke it, with the values
   * @throws InvariantViolation if it does not hold
   */
  public void require(boolean holds, Supplier<String> detail) {
    if (!holds) {
      throw new InvariantViolation(this, detail.get());
    }
  }
}
