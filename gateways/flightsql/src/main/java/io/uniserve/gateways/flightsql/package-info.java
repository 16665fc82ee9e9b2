/**
 * Arrow Flight SQL for warehouses: the protocol of its JDBC and ADBC drivers.
 *
 * <dl>
 *   <dt>schema
 *   <dd>a warehouse, as clients see it; there are no catalogs
 *   <dt>statement
 *   <dd>a query with the values of its parameters. It is contained in handles and tickets, so that
 *       no process has to keep it and any gateway can continue it
 *   <dt>running
 *   <dd>a statement whose rows are being taken
 * </dl>
 */
package io.uniserve.gateways.flightsql;
