/**
 * Arrow Flight SQL in front of warehouses: what the JDBC and ADBC drivers of that protocol speak.
 *
 * <dl>
 *   <dt>schema
 *   <dd>a warehouse, as clients see it; there are no catalogs
 *   <dt>statement
 *   <dd>a query with the values of its parameters. It travels in handles and tickets, so that no
 *       process remembers it, and any gateway can go on with it
 *   <dt>running
 *   <dd>a statement whose rows are being taken
 * </dl>
 */
package io.uniserve.gateways.flightsql;
