/**
 * The port to a database that holds the SQL tables of an actor: a driver stands behind {@link
 * io.uniserve.sql.backend.Backend}, {@link io.uniserve.sql.backend.ActorDatabase} and {@link
 * io.uniserve.sql.backend.Session}, a dialect behind {@link io.uniserve.sql.planner.ActorSql}. What
 * changes, splits and merges do is written once, upon the port. A library: it knows no database,
 * and no operators or plans.
 *
 * <dl>
 *   <dt>backend
 *   <dd>a kind of database that can hold actors
 *   <dt>schema
 *   <dd>the SQL tables of a warehouse, {@link io.uniserve.sql.backend.WarehouseSchema}
 *   <dt>spread, replicated
 *   <dd>a SQL table whose rows lie in the actor of their partition columns, or in every actor
 *   <dt>stored
 *   <dd>the name that a table has in the databases; no two tables that ever were share one
 *   <dt>shipped
 *   <dd>the rows of an earlier stage, which come with a query and are a table to it
 * </dl>
 */
package io.uniserve.sql.backend;
