/**
 * Queries that the planner cannot cut into stages, or understands otherwise than DuckDB, computed
 * whole where they are asked: the tables that a query reads are gathered there, under their own
 * names, and DuckDB computes the query as it was written. What a query may name is read in DuckDB's
 * own syntax tree before any of it is looked up; what touches more than rows is refused by name.
 *
 * <dl>
 *   <dt>whole
 *   <dd>a query whose last stage is its own text
 *   <dt>tree
 *   <dd>a text as DuckDB's parser understands it, in JSON
 *   <dt>scope
 *   <dd>the names that {@code WITH} gives to queries, where they hide tables
 * </dl>
 */
package io.uniserve.sql.whole;
