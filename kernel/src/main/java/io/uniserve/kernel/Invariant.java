package io.uniserve.kernel;

import java.util.function.Supplier;

/**
 * What is always true of a cluster. The simulator checks all of them after every step; production
 * checks the cheap ones where the state changes, and stops the process rather than go on with a
 * broken one.
 */
public enum Invariant {
  /** An acknowledged update survives every failure that its table's settings promise to survive. */
  ACKNOWLEDGED_SURVIVES,
  /** All copies of an actor apply the same updates in the same order. */
  SAME_ORDER_ON_COPIES,
  /**
   * A serializable update happens on all its actors and copies or on none; a table's updates have
   * one order.
   */
  ATOMIC_UPDATES,
  /** A read that starts after a serializable or ordered update was acknowledged sees it. */
  READ_AFTER_ACKNOWLEDGEMENT,
  /** A snapshot read sees one version across all actors. */
  ONE_VERSION,
  /**
   * An answer counts every addressed actor exactly once, or the query fails, or it says what is
   * missing.
   */
  EXACT_ANSWER,
  /**
   * Only a copy that has everything which all readable copies had when it was acknowledged becomes
   * a primary, unless the durable store has that, too, or somebody accepted the loss.
   */
  COMPLETE_COPIES_LEAD,
  /**
   * An actor with a complete copy on a server that lives and that a majority of routers reaches has
   * a primary within half a minute.
   */
  COMPLETE_COPIES_ARE_LED,
  /** One primary for each actor and epoch; nothing from an older epoch is acknowledged. */
  ONE_PRIMARY,
  /**
   * Ordered messages: same order everywhere, no gap, no duplicate, to exactly the destinations of
   * the configuration.
   */
  TOTAL_ORDER,
  /** A move never leaves an actor with fewer readable copies than before it began. */
  MOVES_KEEP_COPIES,
  /** When a query has ended, nothing of it is left on any server. */
  NOTHING_LEFT_BEHIND,
  /** A published assignment respects replication factor, memory and pins. */
  VALID_ASSIGNMENT,
  /**
   * While one process at a time is down or out of reach, and every actor had two readable copies
   * before, no query and no update fails.
   */
  AVAILABLE,
  /** Once faults stop, everything pending finishes. */
  PROGRESS;

  /**
   * Checks the invariant where its state changes.
   *
   * @param holds whether it holds
   * @param detail what broke it, with the values
   * @throws InvariantViolation if it does not hold
   */
  public void require(boolean holds, Supplier<String> detail) {
    if (!holds) {
      throw new InvariantViolation(this, detail.get());
    }
  }
}
