/**
 * Search from one assignment to better ones: into the constraints, towards less clustering, and
 * back to where copies are held already. Deterministic: chance comes from a seed.
 */
package io.uniserve.policy.placement.search;
