/** Recordings of runs, and checks that read them. */
package io.uniserve.simulation.scenario.cluster.recording;
