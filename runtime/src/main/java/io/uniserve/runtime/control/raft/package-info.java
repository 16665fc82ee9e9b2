/**
 * The controllers' agreement on one log: MicroRaft, with time, threads, transport and disk from the
 * {@link io.uniserve.kernel.Environment}, so that it runs in simulation as it runs in production.
 *
 * <dl>
 *   <dt>group
 *   <dd>the controllers that agree; it is founded once, and its members change one at a time
 *   <dt>member
 *   <dd>one controller as a voter: an identity that its disk keeps
 *   <dt>operation
 *   <dd>the bytes of one entry of the log, which this package does not interpret
 *   <dt>committed
 *   <dd>on the disks of a majority: never lost, never replaced
 * </dl>
 */
package io.uniserve.runtime.control.raft;
