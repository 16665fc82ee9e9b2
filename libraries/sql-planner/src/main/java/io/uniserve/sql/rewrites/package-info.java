/**
 * Rewrites of relational algebra, after which it means the same and fewer rows are read, joined and
 * moved: {@link io.uniserve.sql.rewrites.Pushdown} of every query, {@link
 * io.uniserve.sql.rewrites.SemiJoinReduction} where they pay, {@link
 * io.uniserve.sql.rewrites.TwoPhaseAggregation} of an aggregation whose rows lie in many places.
 * Where anything runs is for others to say; what a rewrite saves, they tell as a cost.
 *
 * <dl>
 *   <dt>semi-join, anti-join
 *   <dd>a join that only asks whether there is a row on the right, or that there is none
 *   <dt>reduction
 *   <dd>a semi-join ahead of a join, by whose keys rows are left out early
 *   <dt>two steps
 *   <dd>an aggregation of what is aggregated in each place
 *   <dt>sketch
 *   <dd>rows that stand for the different values of a column, and are merged as rows
 * </dl>
 */
package io.uniserve.sql.rewrites;
