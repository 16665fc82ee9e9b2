package io.uniserve.runtime.control.placement;

import io.uniserve.kernel.Workers;
import io.uniserve.runtime.control.settings.PlacementPolicies;

/**
 * The policies that place copies, and the threads on which they compute.
 *
 * @param policies the policies of the cluster
 * @param workers the threads for long computations
 */
public record Placer(PlacementPolicies policies, Workers workers) {}
