/**
 * The experiments of the Crescando/RB paper (§7) with ordered tables: figures 8 to 10 and 14 to 16,
 * and §7.9. Figures 11 to 13 are those of {@link io.uniserve.bench.ring}; what one process of real
 * data does is measured by {@link io.uniserve.bench.sharedscan}.
 *
 * <dl>
 *   <dt>storage process
 *   <dd>a server on which operations take a fixed time, one after the other, as the paper's
 *       processes do that have a machine each; so throughput can grow with their number on a
 *       machine of two processors
 *   <dt>part
 *   <dd>an actor of such a server
 *   <dt>share
 *   <dd>the part of a process's time for an operation that one part takes
 *   <dt>finding
 *   <dd>a claim of the paper, what was measured, and whether it holds
 * </dl>
 */
package io.uniserve.bench.ordered;
