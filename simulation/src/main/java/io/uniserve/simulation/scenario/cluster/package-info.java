/**
 * The real router, servers and clients over the model engine, with faults of every kind, and the
 * checks that hold all the time and in the end (DESIGN §9).
 *
 * <dl>
 *   <dt>workload
 *   <dd>what a client does, simulated or real
 *   <dt>witness
 *   <dd>hears what a workload asks and is told: the checks of a simulated run, at once, or a
 *       recording
 *   <dt>recording
 *   <dd>the history of one table of a real cluster, played to the same checks when it has ended
 * </dl>
 */
package io.uniserve.simulation.scenario.cluster;
