/** The faults of a simulated cluster: their plans, their effects and their ends. */
package io.uniserve.simulation.fault;
