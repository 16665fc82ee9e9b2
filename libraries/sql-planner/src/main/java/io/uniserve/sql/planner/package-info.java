/**
 * The planning of SQL over tables that are spread over actors. Work that can run beside the data is
 * cut into stages; the rest runs on their results (DPA §6, "MonetDB"). Of Uniserve's programming
 * model it uses only the errors. Other packages parse statements, translate them to algebra,
 * estimate it and rewrite it; this one decides where each part is computed. The SQL of a stage is
 * DuckDB's at the client, and {@link io.uniserve.sql.planner.ActorSql} in the actors.
 *
 * <dl>
 *   <dt>catalog
 *   <dd>the tables of one warehouse, with their partitioning
 *   <dt>piece
 *   <dd>a part of a query that has been placed: in every actor, in each actor for its rows, or at
 *       the client
 *   <dt>stage
 *   <dd>one statement, where it runs, and the earlier stages whose rows it reads
 *   <dt>co-located
 *   <dd>said of rows in the same actor that a join combines
 *   <dt>shipped
 *   <dd>rows that are sent to every actor, to be joined there
 *   <dt>spread
 *   <dd>rows that lie, or are sent, each to the actor of its values of some columns: a shuffle
 * </dl>
 */
package io.uniserve.sql.planner;
