package io.uniserve.runtime.control.scaling;

import io.uniserve.policy.scaling.ScalingPolicies;
import java.util.Optional;

/**
 * The parts of a controller for a cluster that follows its load.
 *
 * @param policies those that can be chosen; the same for all controllers
 * @param provider starts and ends servers; without one the cluster keeps its size
 */
public record ScalingParts(ScalingPolicies policies, Optional<ServerProvider> provider) {
  /** The parts of a cluster that keeps its size. */
  public static final ScalingParts NONE =
      new ScalingParts(ScalingPolicies.STANDARD, Optional.empty());
}
