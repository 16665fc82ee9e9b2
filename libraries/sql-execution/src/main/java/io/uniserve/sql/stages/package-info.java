/**
 * A SQL query as a plan, and the operators that it consists of (DPA §6, "MonetDB"). The operators
 * run on whatever gives rows for SQL, {@link io.uniserve.sql.stages.RowSource}; which engine's
 * actors these are is not this library's business.
 *
 * <dl>
 *   <dt>stage
 *   <dd>a statement that the planner cut from a query; see {@link io.uniserve.sql.planner.Stage}
 *   <dt>client
 *   <dd>who asks the query: some stages run there
 *   <dt>wave
 *   <dd>the actors that are read together while an answer is taken
 * </dl>
 */
package io.uniserve.sql.stages;
