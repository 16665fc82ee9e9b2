/**
 * The actors that this client's queries read together, counted over a sliding window within bounds,
 * and reported to the coordinator.
 *
 * <dl>
 *   <dt>query set
 *   <dd>the actors of one table that one query reads (PODP §3.1, a shard set)
 *   <dt>pane
 *   <dd>a part of the window; the oldest is dropped when a new one begins
 * </dl>
 */
package io.uniserve.runtime.client.load;
