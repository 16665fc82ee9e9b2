/**
 * Statements that nobody thought of: random tables, rows and SQL, run on warehouses of several
 * actors and on one DuckDB that has all the data, whose answers are the right ones.
 *
 * <dl>
 *   <dt>world
 *   <dd>the oracle and several warehouses, all with the same tables and rows
 *   <dt>oracle
 *   <dd>the one DuckDB
 *   <dt>layout
 *   <dd>how a table is spread over the actors of a warehouse
 *   <dt>part
 *   <dd>a piece of a statement, which knows what it could be without
 *   <dt>shrinking
 *   <dd>leaving out of a statement and of its data whatever it fails without
 * </dl>
 */
package io.uniserve.engines.warehouse.fuzz;
