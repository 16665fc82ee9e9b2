/** Placement policies: which servers hold which actors (DPA §4.4). Pure functions. */
package io.uniserve.policy.placement;
