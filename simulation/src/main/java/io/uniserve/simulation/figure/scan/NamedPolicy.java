package io.uniserve.simulation.figure.scan;

import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.policy.scanning.PriorityBiased;

/**
 * A policy of a figure.
 *
 * @param name its name there
 * @param policy the policy
 * @param priority the basis of a priority by length
 */
record NamedPolicy(String name, GrantPolicy policy, Priority priority) {

  /** The basis of a priority by length. */
  enum Priority {
    /** The least time in which the whole scan can end, as in the paper. */
    WHOLE,
    /** The least time in which the rest of it can end. */
    REST
  }

  NamedPolicy(String name, GrantPolicy policy) {
    this(name, policy, Priority.WHOLE);
  }

  /** Returns priority-biased round robin with some alpha. */
  static NamedPolicy biased(double alpha) {
    return new NamedPolicy("α = " + SingleScans.text(alpha), new PriorityBiased(alpha));
  }
}
