/**
 * Statements of SQL as they are read: what is asked for, by which names, with which parameters.
 * What they mean is for others to say. Queries and changes of rows are Calcite's to parse; CREATE
 * TABLE and DROP TABLE are parsed here, since they say how rows are spread.
 *
 * <dl>
 *   <dt>statement
 *   <dd>a query or a change of rows, {@link io.uniserve.sql.syntax.SqlStatement}, or one that makes
 *       or drops a table, {@link io.uniserve.sql.syntax.TableStatement}
 *   <dt>spread, replicated
 *   <dd>a table whose rows lie each in one of many databases, told by its partition columns, or in
 *       every one of them
 *   <dt>stored name
 *   <dd>what a table is called in these databases
 * </dl>
 */
package io.uniserve.sql.syntax;
