package io.uniserve.policy.scanning;

import java.util.List;
import java.util.Optional;

/**
 * A function that says which scan gets a free slot (PNUTS §4.2). It is greedy: if any scan waits,
 * one gets it. So all scans together take at most twice as long as the best schedule (Theorem 2).
 *
 * <p>It is asked again after each grant, at every arrival, at every slot that is given back and at
 * every change of a desired parallelism. It keeps nothing between two questions.
 */
public interface GrantPolicy {
  /** Returns the name by which people choose it. */
  String name();

  /**
   * Returns the scan that gets the slot, or nothing if none waits.
   *
   * @param waiting the scans that can use the slot
   * @param decision the number of this decision, which chance is derived from
   */
  Optional<WaitingScan> next(List<WaitingScan> waiting, long decision);
}
