package io.uniserve.engines.warehouse.fuzz;

/**
 * A statement that changes rows.
 *
 * @param table the table whose rows it changes
 * @param sql the statement that a warehouse is given
 * @param oracleSql the statement that DuckDB is given, which refuses a key twice where a warehouse
 *     replaces
 */
record Change(String table, String sql, String oracleSql) {}
