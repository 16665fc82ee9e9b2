/**
 * Searches from one assignment to better ones: towards the constraints, towards less clustering,
 * and back to the servers that hold copies already. They are deterministic: random choices come
 * from a seed.
 */
package io.uniserve.policy.placement.search;
