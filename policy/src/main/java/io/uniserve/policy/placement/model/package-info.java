/**
 * The placement problem in the terms of the formulas of PODP §3.2, and assignments that solve it.
 *
 * <ul>
 *   <li><b>copy</b>: an actor on a server (x_ij = 1) with the <b>share</b> of its reads (r_ij);
 *   <li><b>held</b>: said of a server that has a copy of an actor before the assignment (t_ij = 0);
 *   <li><b>clustering</b> of a query set: the number of its copies on its most crowded server (c_s,
 *       PODP §3.1);
 *   <li><b>moves</b>: copies on servers that did not hold the actor before, formula (9).
 * </ul>
 */
package io.uniserve.policy.placement.model;
