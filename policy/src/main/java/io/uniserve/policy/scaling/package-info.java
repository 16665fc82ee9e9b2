/**
 * Scaling policies (DPA §4.5): pure functions of a window of load samples and the present size to a
 * wanted size. {@link io.uniserve.policy.scaling.ScalingPolicies} makes them of text.
 */
package io.uniserve.policy.scaling;
