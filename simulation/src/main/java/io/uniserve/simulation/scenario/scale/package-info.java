/**
 * The production controllers, coordinator, policies and state subscriptions with as many servers
 * and actors as a large cluster has, over a day of load that comes and goes (DPA §4.4, §4.5). The
 * servers are models: to the coordinator, they say and do the same as real ones.
 *
 * <dl>
 *   <dt>machine
 *   <dd>the place of the server of one name: its disk, and whether it is broken
 *   <dt>modelled server
 *   <dd>one life of a server
 *   <dt>follower
 *   <dd>a state subscription by which some servers hear of cluster state
 *   <dt>watch
 *   <dd>compares every version of cluster state with what must hold of it
 *   <dt>audit
 *   <dd>looks at the whole cluster now and then: what takes too long, and what to report
 * </dl>
 */
package io.uniserve.simulation.scenario.scale;
