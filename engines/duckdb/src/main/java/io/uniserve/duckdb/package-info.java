/**
 * DuckDB behind the port to databases: a database in a file for each actor, {@link
 * io.uniserve.duckdb.DuckBackend}. It is also what computes where a query is asked, whatever the
 * backend of its actors is, {@link io.uniserve.duckdb.ClientStage}, so that what a query means has
 * one definition; and it reads Parquet. The driver is named nowhere else.
 *
 * <dl>
 *   <dt>client
 *   <dd>who asks a query: what its actors give is combined in a database in memory there
 *   <dt>watch
 *   <dd>what ends a statement that nobody waits for any more
 * </dl>
 */
package io.uniserve.duckdb;
