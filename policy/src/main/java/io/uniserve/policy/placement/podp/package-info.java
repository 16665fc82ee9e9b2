/**
 * Parallelism-optimising data placement (PODP §3): two stages for one problem, and the division of
 * a large problem into small ones (POP, §3.3).
 *
 * <ul>
 *   <li><b>part</b>: some of the servers and the load that they should serve; a sub-problem;
 *   <li><b>portion</b>: the share of an actor's load that belongs to a part;
 *   <li><b>sticky</b>: an actor stays in the part that it was in;
 *   <li><b>transfer</b>: an actor that gets a portion in a part that it was not in.
 * </ul>
 */
package io.uniserve.policy.placement.podp;
