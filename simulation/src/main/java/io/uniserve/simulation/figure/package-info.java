/**
 * The figures of the PODP paper, made again in simulation, each with what the paper claims and
 * whether it holds here.
 *
 * <ul>
 *   <li><b>trial</b>: one random initial fill with queries of its own, the same for every policy;
 *   <li><b>reduction</b>: how much lower a percentile is than with a baseline, within one trial.
 * </ul>
 *
 * A figure follows from seeds alone, except for times. So the solver, whose answer depends on time,
 * takes part only where time is measured; it would only save moves.
 */
package io.uniserve.simulation.figure;
