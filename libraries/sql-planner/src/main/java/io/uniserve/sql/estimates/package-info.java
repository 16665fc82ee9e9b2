/**
 * Estimates of the numbers of rows of algebra. They are computed for every node from the tables'
 * numbers of rows and distinct values and the ranges of these. No database is asked, and nothing is
 * changed.
 *
 * <dl>
 *   <dt>estimate
 *   <dd>the number of rows of a node, and the number of distinct values of each column
 *   <dt>domain
 *   <dd>the estimated number of a column's values before any row was left out
 *   <dt>share
 *   <dd>a part of rows or values, from 0 to 1
 *   <dt>pair
 *   <dd>two columns, one of each side of a join, that its condition equates
 * </dl>
 */
package io.uniserve.sql.estimates;
