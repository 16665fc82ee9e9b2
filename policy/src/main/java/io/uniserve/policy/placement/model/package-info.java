/**
 * The placement problem in numbers, as the formulas of PODP §3.2 have it, and assignments that
 * solve it.
 *
 * <ul>
 *   <li><b>copy</b>: an actor on a server (x_ij = 1) with the <b>share</b> of its reads (r_ij);
 *   <li><b>held</b>: where an actor has a copy before the assignment (t_ij = 0);
 *   <li><b>clustering</b> of a query set: how many of its copies its most crowded server has (c_s,
 *       PODP §3.1);
 *   <li><b>moves</b>: copies on servers that did not hold the actor before, formula (9).
 * </ul>
 */
package io.uniserve.policy.placement.model;
