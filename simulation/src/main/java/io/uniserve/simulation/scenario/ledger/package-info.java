/**
 * The smallest distributed system that can fail, to try the simulator on: a first server writes the
 * numbers that a client appends, and others copy them. It uses nothing but the kernel.
 */
package io.uniserve.simulation.scenario.ledger;
