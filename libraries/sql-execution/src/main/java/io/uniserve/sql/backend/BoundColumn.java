package io.uniserve.sql.backend;

/**
 * A column of a query's result.
 *
 * @param name DuckDB's name of the column, which need not be unique
 * @param type DuckDB's name of the type, as in {@code DECIMAL(18,3)} and {@code INTEGER[]}
 */
public record BoundColumn(String name, String type) {}
