/**
 * The real router, servers and clients over the model engine, with faults of every kind, and the
 * checks that hold all the time and in the end (DESIGN §9).
 */
package io.uniserve.simulation.scenario.cluster;
