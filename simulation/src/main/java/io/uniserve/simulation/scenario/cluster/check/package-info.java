/** The checks of what clients of simulated clusters saw, against what was promised. */
package io.uniserve.simulation.scenario.cluster.check;
