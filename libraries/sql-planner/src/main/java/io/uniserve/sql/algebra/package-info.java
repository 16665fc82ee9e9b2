/**
 * Relational algebra of SQL and back. A statement is checked against tables and becomes algebra,
 * Calcite's; algebra becomes a statement of a database, which computes it. What means the same and
 * is computed sooner is not looked for here.
 *
 * <dl>
 *   <dt>algebra
 *   <dd>a tree of relational operators, of tables at its leaves
 *   <dt>dialect
 *   <dd>how a database wants its SQL to be written; DuckDB's is {@link
 *       io.uniserve.sql.algebra.functions.DuckDialect}
 *   <dt>size
 *   <dd>about how much a table holds, {@link io.uniserve.sql.algebra.TableSize}
 *   <dt>row change
 *   <dd>an UPDATE or DELETE whose every row follows from itself
 * </dl>
 */
package io.uniserve.sql.algebra;
