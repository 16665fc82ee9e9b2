/**
 * An engine in memory whose answers are known, for simulated clusters.
 *
 * <dl>
 *   <dt>operation
 *   <dd>one number that a client puts under one key, unique in a run
 *   <dt>journal
 *   <dd>all operations that an actor has applied, in order; an actor is nothing else
 *   <dt>batch
 *   <dd>updates that an actor takes at once, each with an outcome of its own
 * </dl>
 */
package io.uniserve.simulation.model;
