/**
 * SQL tables that are spread over actors, each a DuckDB database (DPA §6, "MonetDB").
 *
 * <dl>
 *   <dt>warehouse
 *   <dd>a table of Uniserve: a set of SQL tables that are spread over the same actors, so that
 *       equal values of their partition columns meet in one database
 *   <dt>spread, replicated
 *   <dd>a SQL table whose rows lie in the actor of their partition columns, or in every actor
 *   <dt>stage
 *   <dd>a statement that the planner cut from a query; see {@link io.uniserve.sqlplanner.Stage}
 *   <dt>backend
 *   <dd>a kind of database that can hold actors, behind {@link
 *       io.uniserve.engines.warehouse.Backend}
 *   <dt>block
 *   <dd>rows in Arrow's stream format, which stands for itself
 * </dl>
 */
package io.uniserve.engines.warehouse;
