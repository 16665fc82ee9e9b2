/**
 * Queries that the planner cannot cut into stages, or that it understands in another way than
 * DuckDB. They are computed whole at the client: the tables that a query reads are gathered there,
 * under their own names, and DuckDB computes the query as it was written. Names in the query are
 * checked in DuckDB's own syntax tree before any is looked up. A name that reaches more than rows
 * is refused.
 *
 * <dl>
 *   <dt>whole
 *   <dd>a query whose last stage is its own text
 *   <dt>tree
 *   <dd>the syntax tree of DuckDB's parser, in JSON
 *   <dt>scope
 *   <dd>the part of a query in which a name that {@code WITH} gives hides a table
 * </dl>
 */
package io.uniserve.sql.whole;
