/**
 * SQL tables that are spread over actors, each a database of its own, by default DuckDB's (DPA §6,
 * "MonetDB"): the port. What a database does stands in {@link io.uniserve.sql.backend}, how a query
 * is planned and run in {@link io.uniserve.sql.stages}, how rows and tables change in {@link
 * io.uniserve.sql.changes}.
 *
 * <dl>
 *   <dt>warehouse
 *   <dd>a table of Uniserve: a set of SQL tables that are spread over the same actors, so that
 *       equal values of their partition columns meet in one database
 *   <dt>version
 *   <dd>what an actor has after so many commits; a transaction that began in time sees it
 * </dl>
 */
package io.uniserve.engines.warehouse;
