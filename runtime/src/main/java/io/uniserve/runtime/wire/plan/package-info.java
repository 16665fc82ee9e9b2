/**
 * The forms of map, scatter and gather between clients and servers (DPA §3.3).
 *
 * <dl>
 *   <dt>run
 *   <dd>one attempt at a whole plan; its datasets are released when it ends
 *   <dt>stage
 *   <dd>one operator of a plan, numbered within it
 *   <dt>task
 *   <dd>a stage's operator on one actor, on the output of one earlier task, or on one part
 *   <dt>attempt
 *   <dd>one attempt at a task; outputs are named by run, stage, task and attempt
 *   <dt>part
 *   <dd>some of the attributes of a gather: those of one anchoring actor, or of one hash
 * </dl>
 */
package io.uniserve.runtime.wire.plan;
