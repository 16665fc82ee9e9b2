package io.uniserve.api;

/**
 * The four update levels. Each level's update function is the sub-interface of {@link
 * UpdateFunction} of its name.
 */
public enum Consistency {
  /** The primary applies and answers; copies follow in the same order (DPA §4.2). */
  EVENTUAL,
  /** Two-phase commit over all copies of all touched actors; later reads see it (DPA §4.2). */
  SERIALIZABLE,
  /**
   * Serializable, and a read sees one version across all actors (DPA §4.2, "full serializability").
   */
  SNAPSHOT,
  /**
   * Through the control log to exactly the servers that hold its keys, applied in log order (RB
   * §6).
   */
  ORDERED
}
