/**
 * DuckDB behind the port to databases: a database in a file for each actor, {@link
 * io.uniserve.backends.duckdb.DuckBackend}. DuckDB also computes the client's stages, whatever the
 * backend of the actors is, {@link io.uniserve.backends.duckdb.ClientStage}, so that the meaning of
 * a query has one definition. It reads Parquet, too. No other module uses the driver.
 *
 * <dl>
 *   <dt>client
 *   <dd>the process that asks a query; it combines the actors' rows in an in-memory database
 *   <dt>watch
 *   <dd>the thread that ends a statement that nobody waits for any more
 * </dl>
 */
package io.uniserve.backends.duckdb;
