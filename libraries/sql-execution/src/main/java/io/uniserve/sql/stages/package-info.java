/**
 * The plans of SQL queries, and their operators (DPA §6, "MonetDB"). The operators run on any
 * {@link io.uniserve.sql.stages.RowSource}, whatever engine its actors belong to.
 *
 * <dl>
 *   <dt>stage
 *   <dd>a statement that the planner cut from a query; see {@link io.uniserve.sql.planner.Stage}
 *   <dt>client
 *   <dd>the process that asks the query; some stages run there
 *   <dt>wave
 *   <dd>the actors that are read together while an answer is taken
 * </dl>
 */
package io.uniserve.sql.stages;
