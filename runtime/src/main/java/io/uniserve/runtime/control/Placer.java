package io.uniserve.runtime.control;

import io.uniserve.kernel.Workers;

/**
 * What decides where copies are to be.
 *
 * @param policies of the cluster
 * @param workers where policies compute that take long
 */
record Placer(PlacementPolicies policies, Workers workers) {}
