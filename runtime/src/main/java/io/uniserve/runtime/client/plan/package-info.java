/**
 * The client's part in plans of map, scatter and gather (DPA §3.3, QAS §3.2). It runs the stages of
 * a plan in topological order, each task where its input is, and tries failed tasks again.
 *
 * <dl>
 *   <dt>run
 *   <dd>one attempt at a whole plan
 *   <dt>stage
 *   <dd>one operator of a plan
 *   <dt>task
 *   <dd>a stage's operator on one input
 * </dl>
 */
package io.uniserve.runtime.client.plan;
