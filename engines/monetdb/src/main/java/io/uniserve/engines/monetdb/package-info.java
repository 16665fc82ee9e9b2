/**
 * Actors of a warehouse in MonetDBLite, as a second implementation of the port between {@link
 * io.uniserve.engines.warehouse.WarehouseEngine} and a database: the driver behind {@link
 * io.uniserve.sqlbackend.ActorDatabase} and {@link io.uniserve.sqlbackend.Session}, the dialect
 * behind {@link io.uniserve.sqlplanner.ActorSql}.
 *
 * <dl>
 *   <dt>client
 *   <dd>a connection to the one database that a process can have; it has one transaction at a time
 *   <dt>rolled back
 *   <dd>said of a transaction that MonetDB ended instead of committing, because a schema changed
 *       meanwhile
 * </dl>
 */
package io.uniserve.engines.monetdb;
