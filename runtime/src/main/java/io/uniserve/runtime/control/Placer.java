package io.uniserve.runtime.control;

import io.uniserve.kernel.Workers;

/**
 * The policies that place copies, and the threads on which they compute.
 *
 * @param policies of the cluster
 * @param workers the threads for long computations
 */
record Placer(PlacementPolicies policies, Workers workers) {}
