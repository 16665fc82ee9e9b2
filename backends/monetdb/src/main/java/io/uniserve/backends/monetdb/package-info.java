/**
 * Actors of a warehouse in MonetDBLite, as a second implementation of the port between {@link
 * io.uniserve.engines.warehouse.WarehouseEngine} and a database: the driver behind {@link
 * io.uniserve.sql.backend.ActorDatabase} and {@link io.uniserve.sql.backend.Session}, the dialect
 * behind {@link io.uniserve.sql.planner.ActorSql}.
 *
 * <dl>
 *   <dt>client
 *   <dd>a connection to the one database that a process can have; it has one transaction at a time
 *   <dt>rolled back
 *   <dd>said of a transaction that MonetDB ended instead of committing, because a schema changed
 *       meanwhile
 * </dl>
 */
package io.uniserve.backends.monetdb;
