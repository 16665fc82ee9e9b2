/**
 * Everything that a clock, a socket, a disk, a random number or a thread gives, as ports ({@link
 * io.uniserve.kernel.Environment}), and the invariants of the whole system. Production implements
 * the ports once; the simulator implements them with one seeded scheduler, so that a whole cluster
 * replays from its seed.
 *
 * <dl>
 *   <dt>address
 *   <dd>where a process listens
 *   <dt>message
 *   <dd>an immutable value that one process sends another
 *   <dt>call
 *   <dd>one request and the stream of replies to it
 *   <dt>deadline
 *   <dd>a point of the local monotonic clock after which nobody waits for a call any more
 * </dl>
 */
package io.uniserve.kernel;
