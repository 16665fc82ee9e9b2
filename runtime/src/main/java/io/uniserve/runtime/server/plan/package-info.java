/**
 * The server's part in plans of map, scatter and gather (DPA §3.3): runs tasks on the operators'
 * worker threads, keeps what they make until their run ends, and hands out scattered chunks.
 *
 * <dl>
 *   <dt>output
 *   <dd>what one attempt at a task made: datasets, or scattered chunks
 *   <dt>holding
 *   <dd>an output in use; closed when it is retired and the last task that reads it has ended
 * </dl>
 */
package io.uniserve.runtime.server.plan;
