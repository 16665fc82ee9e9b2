/**
 * Plans of SQL that changes rows or tables and of rows in bulk, with their update functions and
 * records. The functions run on any actor that changes its database in transactions, {@link
 * io.uniserve.sql.changes.WritableActor}.
 *
 * <dl>
 *   <dt>rewrite
 *   <dd>an UPDATE or DELETE, which runs as it is in every actor, {@link
 *       io.uniserve.sql.changes.RewriteRows}
 *   <dt>building
 *   <dd>a table that gets the rows of a query before statements can name it
 *   <dt>divided
 *   <dd>one record of rows of many actors, each of which is sent its own rows
 * </dl>
 */
package io.uniserve.sql.changes;
