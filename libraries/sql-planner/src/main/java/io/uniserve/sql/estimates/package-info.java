/**
 * About how many rows algebra has: of what is known of tables, how many rows and different values
 * they have and between what these lie, it is computed for every node. Nothing is asked of any
 * database, and nothing is changed.
 *
 * <dl>
 *   <dt>estimate
 *   <dd>of a node: how many rows, and how many different values each column has
 *   <dt>domain
 *   <dd>of a column: about how many values it might have if no row had been left out
 *   <dt>share
 *   <dd>a part of rows or values, from 0 to 1
 *   <dt>pair
 *   <dd>two columns, one of each side of a join, that its condition says are equal
 * </dl>
 */
package io.uniserve.sql.estimates;
