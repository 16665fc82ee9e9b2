package io.uniserve.api.policy;

import java.util.SortedSet;

/** Decides whether the cluster should have more or fewer servers (DPA §4.5). */
@FunctionalInterface
public interface ScalingPolicy {

  /** The wanted change; either no servers to add or none to remove. */
  Decision decide(ClusterLoad cluster);

  /**
   * A change of the cluster's size.
   *
   * @param add how many servers to add
   * @param remove the servers to empty and remove
   */
  record Decision(int add, SortedSet<String> remove) {}
}
