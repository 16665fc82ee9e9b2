/**
 * The smallest distributed system that can go wrong, to try the simulator on: numbers that a client
 * appends are written by a first server and copied by others. It uses nothing but the kernel.
 */
package io.uniserve.simulation.scenario.ledger;
