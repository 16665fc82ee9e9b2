/**
 * The load driver: clients that each send one request, wait for its answer, and send the next (a
 * closed loop). They use a small HTTP/1.1 client that costs the driver little CPU and treats every
 * system alike.
 */
package io.uniserve.bench.load;
