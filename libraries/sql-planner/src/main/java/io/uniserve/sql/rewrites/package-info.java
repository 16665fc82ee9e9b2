/**
 * Rewrites of relational algebra that keep its meaning and save rows that are read, joined and
 * moved: {@link io.uniserve.sql.rewrites.Pushdown} for every query, {@link
 * io.uniserve.sql.rewrites.SemiJoinReduction} where they pay, and {@link
 * io.uniserve.sql.rewrites.TwoPhaseAggregation} for an aggregation of rows in many places. The
 * planner decides the places and provides the cost.
 *
 * <dl>
 *   <dt>semi-join, anti-join
 *   <dd>a join that only checks that there is a matching row on the right, or that there is none
 *   <dt>reduction
 *   <dd>a semi-join ahead of a join, by whose keys rows are left out early
 *   <dt>two steps
 *   <dd>an aggregation of the results that each place has aggregated
 *   <dt>sketch
 *   <dd>rows that represent the distinct values of a column and can be merged
 * </dl>
 */
package io.uniserve.sql.rewrites;
