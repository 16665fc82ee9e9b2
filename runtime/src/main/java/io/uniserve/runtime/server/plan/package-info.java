/**
 * The server's part in plans of map, scatter and gather (DPA §3.3). It runs tasks on the operators'
 * worker threads, keeps their outputs until their run ends, and hands out scattered chunks.
 *
 * <dl>
 *   <dt>output
 *   <dd>the result of one attempt at a task: datasets, or scattered chunks
 * </dl>
 */
package io.uniserve.runtime.server.plan;
