/**
 * Cluster state, and the control records of which it is the replay. Cluster state is a pure
 * function of the control log.
 *
 * <dl>
 *   <dt>version
 *   <dd>the number of control records replayed
 *   <dt>incarnation
 *   <dd>one life of a server's process; grows at every start
 *   <dt>copy
 *   <dd>one server's replica of one actor
 *   <dt>epoch
 *   <dd>the number of a primary's term for one actor
 * </dl>
 */
package io.uniserve.runtime.wire.cluster;
