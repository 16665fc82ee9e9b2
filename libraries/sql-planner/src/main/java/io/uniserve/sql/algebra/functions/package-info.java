/** The functions of DuckDB in the planner. */
package io.uniserve.sql.algebra.functions;
