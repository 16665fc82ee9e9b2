/**
 * Scan policies (PNUTS §3 and §4): which scan gets the next free slot, and how many slots one scan
 * should ask for. Pure functions, the same in simulation and on servers.
 *
 * <ul>
 *   <li><b>scan</b>: a query that reads a range of a table, partition by partition, in any order;
 *   <li><b>slot</b>: a server's permission for one scan to read; a server has few (L_s);
 *   <li><b>desired parallelism</b>: how many slots a scan asks for at once (K_q); it may hold
 *       fewer;
 *   <li><b>idle</b>: said of a scan that holds no slot although it could use one;
 *   <li><b>weight, priority value</b>: P(q); less is more urgent.
 * </ul>
 *
 * {@link io.uniserve.policy.scanning.GrantPolicy} gives out slots; {@link
 * io.uniserve.policy.scanning.Allocation} finds the desired parallelism; {@link
 * io.uniserve.policy.scanning.Makespans} says how soon scans can end at best.
 */
package io.uniserve.policy.scanning;
