/**
 * Splits SQL over tables that are spread over actors: what can run beside the data is cut into
 * stages, the rest runs on their results (DPA §6, "MonetDB"). A library: it knows of Uniserve's
 * programming model nothing but its errors. What a statement says, what algebra it is, how many
 * rows that has and how it is rewritten is the business of the libraries beneath; here is what is
 * computed where. What a stage does is DuckDB's SQL at the client, and {@link
 * io.uniserve.sql.planner.ActorSql} in the actors.
 *
 * <dl>
 *   <dt>catalog
 *   <dd>the tables of one warehouse, with what their rows are spread by
 *   <dt>piece
 *   <dd>a part of a query that has been placed: in every actor, in each actor for its rows, or at
 *       the client
 *   <dt>stage
 *   <dd>one statement, where it runs, and the earlier stages whose rows it reads
 *   <dt>co-located
 *   <dd>rows that a join brings together lie in the same actor
 *   <dt>shipped
 *   <dd>rows that are sent to every actor, to be joined there
 *   <dt>spread
 *   <dd>rows that lie, or are sent, each to the actor of its values of some columns: a shuffle
 * </dl>
 */
package io.uniserve.sql.planner;
