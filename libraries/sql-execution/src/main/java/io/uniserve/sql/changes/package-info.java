/**
 * SQL that changes rows or tables, and rows in bulk: plans, and the update functions and records
 * that these consist of. The functions run on whatever changes its database in transactions, {@link
 * io.uniserve.sql.changes.WritableActor}.
 *
 * <dl>
 *   <dt>rewrite
 *   <dd>an UPDATE or DELETE, which runs as it is in every actor, {@link
 *       io.uniserve.sql.changes.RewriteRows}
 *   <dt>building
 *   <dd>a table that gets the rows of a query before anybody can name it
 *   <dt>divided
 *   <dd>one record of rows of many actors, of which each is sent its own
 * </dl>
 */
package io.uniserve.sql.changes;
