/**
 * Routers alone, under faults of every kind that leaves their disks, and processes that join, ask
 * for leases and have messages ordered: what the control log promises, looked at from outside.
 */
package io.uniserve.simulation.scenario.routers;
