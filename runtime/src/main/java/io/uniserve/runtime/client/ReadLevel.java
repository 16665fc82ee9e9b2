package io.uniserve.runtime.client;

/**
 * The consistency of one read of an ordered table (RB §6.7). At every level it sees all updates
 * whose outcome was known before it began.
 */
public enum ReadLevel {
  /**
   * Each actor as it is when it is read: one of several actors may show an update that another does
   * not show yet.
   */
  BASIC,

  /** All actors as of one place in the order of updates. */
  SNAPSHOT,

  /**
   * All actors as of one place in the order, which is the read's own: as if the read were an update
   * that changes nothing. In a session it comes after all that the session submitted before it, and
   * before all that the session submits later.
   */
  SEQUENTIAL
}
