/**
 * The network between simulated processes. Messages are encoded and delayed, overtake those of
 * other calls, and get lost.
 *
 * <dl>
 *   <dt>link
 *   <dd>the way from one process to another, in one direction
 *   <dt>frame
 *   <dd>a unit on a link for one call: the request, a reply, an end, a cancellation
 *   <dt>broken call
 *   <dd>a call of which a frame was lost; as on a broken connection, nothing more arrives, and each
 *       end learns of it soon, or only when it gives up waiting
 * </dl>
 */
package io.uniserve.simulation.network;
