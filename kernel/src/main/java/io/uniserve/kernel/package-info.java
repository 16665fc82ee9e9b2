/**
 * The ports to clocks, sockets, disks, random numbers and threads ({@link
 * io.uniserve.kernel.Environment}), and the invariants of the whole system. Production implements
 * the ports with the machine's own means. The simulator implements them with one seeded scheduler,
 * so that a whole cluster can be replayed from its seed.
 *
 * <dl>
 *   <dt>address
 *   <dd>the place at which a process listens
 *   <dt>message
 *   <dd>an immutable value that one process sends to another
 *   <dt>call
 *   <dd>one request and the stream of replies to it
 *   <dt>deadline
 *   <dd>a point on the local monotonic clock after which nobody waits for a call any more
 * </dl>
 */
package io.uniserve.kernel;
