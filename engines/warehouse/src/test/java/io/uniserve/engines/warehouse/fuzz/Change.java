package io.uniserve.engines.warehouse.fuzz;

/**
 * A statement that changes rows.
 *
 * @param table whose rows
 * @param sql what a warehouse is told
 * @param oracleSql what DuckDB is told, which refuses a key twice where a warehouse replaces
 */
record Change(String table, String sql, String oracleSql) {}
