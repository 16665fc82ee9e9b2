/**
 * The port to a database that holds the SQL tables of an actor: a driver stands behind {@link
 * io.uniserve.sql.backend.Backend}, {@link io.uniserve.sql.backend.ActorDatabase} and {@link
 * io.uniserve.sql.backend.Session}, a dialect behind {@link io.uniserve.sql.planner.ActorSql}.
 * Changes, splits and merges are written once, on top of the port. This library depends on no
 * database and on no operators or plans.
 *
 * <dl>
 *   <dt>backend
 *   <dd>a kind of database that can hold actors
 *   <dt>schema
 *   <dd>the SQL tables of a warehouse, {@link io.uniserve.sql.backend.WarehouseSchema}
 *   <dt>spread, replicated
 *   <dd>said of a SQL table whose rows are in the actor of their partition columns, or in every
 *       actor
 *   <dt>stored
 *   <dd>the name of a table in the databases; no two tables ever share one
 *   <dt>shipped
 *   <dd>the rows of an earlier stage, which are sent with a query and are a table to it
 * </dl>
 */
package io.uniserve.sql.backend;
