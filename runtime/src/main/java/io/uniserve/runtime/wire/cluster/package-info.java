/**
 * Cluster state and the control records it is the replay of (DESIGN: "cluster state is a pure
 * function of the log").
 *
 * <dl>
 *   <dt>version
 *   <dd>the number of control records replayed
 *   <dt>incarnation
 *   <dd>one life of a server's process; grows at every start
 *   <dt>copy
 *   <dd>one server's replica of one actor
 *   <dt>epoch
 *   <dd>the reign of one primary of one actor
 * </dl>
 */
package io.uniserve.runtime.wire.cluster;
