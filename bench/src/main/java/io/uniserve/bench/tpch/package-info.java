/**
 * TPC-H: the 22 queries on a warehouse of four actors, beside one DuckDB with all the data,
 * MonetDB, the papers' engine, and Spark SQL. Each system runs in a process of its own, reads
 * commands from its standard input and answers on its standard output ({@link
 * io.uniserve.bench.tpch.SqlProcess}).
 */
package io.uniserve.bench.tpch;
