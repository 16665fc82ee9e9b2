/**
 * The translation of SQL to relational algebra and back. A statement is checked against tables and
 * becomes Calcite's algebra. Algebra becomes a statement of a database, which computes it.
 * Optimisation is not done here.
 *
 * <dl>
 *   <dt>algebra
 *   <dd>a tree of relational operators with tables at its leaves
 *   <dt>dialect
 *   <dd>the form of SQL that a database accepts; DuckDB's is {@link
 *       io.uniserve.sql.algebra.functions.DuckDialect}
 *   <dt>size
 *   <dd>the estimated size of a table, {@link io.uniserve.sql.algebra.TableSize}
 *   <dt>row change
 *   <dd>an UPDATE or DELETE that changes each row by its own values alone
 * </dl>
 */
package io.uniserve.sql.algebra;
