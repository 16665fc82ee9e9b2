/** Placement policies: pure functions that decide which servers hold which actors (DPA §4.4). */
package io.uniserve.policy.placement;
