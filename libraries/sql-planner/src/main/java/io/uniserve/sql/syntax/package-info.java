/**
 * The syntax of SQL statements: their parts, names and parameters, without their meaning. Calcite
 * parses queries and changes of rows. CREATE TABLE and DROP TABLE are parsed here, since they have
 * syntax for partitioning.
 *
 * <dl>
 *   <dt>statement
 *   <dd>a query or a change of rows, {@link io.uniserve.sql.syntax.SqlStatement}, or one that
 *       creates or drops a table, {@link io.uniserve.sql.syntax.TableStatement}
 *   <dt>spread, replicated
 *   <dd>said of a table each of whose rows is in one of many databases, by its partition columns,
 *       or in every one of them
 *   <dt>stored name
 *   <dd>the name of a table in these databases
 * </dl>
 */
package io.uniserve.sql.syntax;
