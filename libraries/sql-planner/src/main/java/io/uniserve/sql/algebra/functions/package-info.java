/** Functions of DuckDB, as the planner knows them. */
package io.uniserve.sql.algebra.functions;
