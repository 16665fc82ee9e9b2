/**
 * SQL tables that are spread over actors, each a database of its own, by default DuckDB's (DPA §6,
 * "MonetDB"): the implementation of the engine's port. See {@link io.uniserve.sql.backend} for
 * databases, {@link io.uniserve.sql.stages} for queries, and {@link io.uniserve.sql.changes} for
 * changes of rows and tables.
 *
 * <dl>
 *   <dt>warehouse
 *   <dd>a table of Uniserve: a set of SQL tables that are spread over the same actors, so that
 *       equal values of their partition columns meet in one database
 *   <dt>version
 *   <dd>the contents of an actor after a number of commits; a transaction that began in time sees
 *       it
 * </dl>
 */
package io.uniserve.engines.warehouse;
