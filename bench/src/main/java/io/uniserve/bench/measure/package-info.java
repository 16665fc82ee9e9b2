/**
 * Measuring on a machine that others use too: CPU of processes and of everybody else, memory, and
 * the statistics of windows.
 *
 * <ul>
 *   <li><i>window</i>: a few seconds in which one system answers one workload.
 *   <li><i>foreign CPU</i>: what processes that are not the benchmark's took during a window, in
 *       cores.
 *   <li><i>round</i>: one window of each system, next to one another in time; ratios are taken
 *       within a round.
 * </ul>
 */
package io.uniserve.bench.measure;
