/** The work of clients on simulated clusters. */
package io.uniserve.simulation.scenario.cluster.work;
