/**
 * The real controller, servers and clients over the model engine, with faults of every kind, and
 * the checks that hold all the time and in the end.
 *
 * <dl>
 *   <dt>workload
 *   <dd>the requests of a client, simulated or real
 *   <dt>witness
 *   <dd>hears the requests and answers of a workload: the checks of a simulated run, at once, or a
 *       recording
 *   <dt>recording
 *   <dd>the history of one table of a real cluster, played to the same checks when it has ended
 * </dl>
 */
package io.uniserve.simulation.scenario.cluster;
