/**
 * The seeded scheduler, which runs everything on one thread, with its time and threads.
 *
 * <dl>
 *   <dt>life
 *   <dd>one run of a simulated process, from its start to its crash; a restart begins another
 *   <dt>step
 *   <dd>the work of one simulated thread from one wait to the next, or one event of the simulator
 *   <dt>event
 *   <dd>a task at a moment of simulated time
 *   <dt>trace
 *   <dd>all steps and events in their order; two runs of one seed have equal traces
 * </dl>
 */
package io.uniserve.simulation.schedule;
