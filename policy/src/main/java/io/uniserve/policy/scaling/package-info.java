/**
 * Scaling policies (DPA §4.5): pure functions from a window of load samples and the present size to
 * a wanted size. {@link io.uniserve.policy.scaling.ScalingPolicies} makes them from text.
 */
package io.uniserve.policy.scaling;
