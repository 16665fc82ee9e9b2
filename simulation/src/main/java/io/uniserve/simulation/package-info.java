/**
 * A whole cluster in one thread, with a seeded clock, network and disk. A run follows from its
 * seed, so that a failure can be looked at as often as one likes.
 *
 * <dl>
 *   <dt>process
 *   <dd>a name, a disk and a clock; a program that is started, crashes and is started again
 *   <dt>crash
 *   <dd>the end of a process without warning: its threads stop where they are
 *   <dt>power failure
 *   <dd>a crash of the machine: the process ends, and its disk loses everything that was not forced
 *   <dt>scenario
 *   <dd>a cluster, a workload, faults, and the checks that must hold
 *   <dt>seed
 *   <dd>the number that a whole run follows from
 * </dl>
 */
package io.uniserve.simulation;
