/**
 * The production routers, coordinator, policies and state subscriptions with as many servers and
 * actors as a large cluster has, over a day of load that comes and goes (DPA §4.4, §4.5). What runs
 * on the servers is a model: it says and does what a server says and does to the coordinator.
 *
 * <dl>
 *   <dt>machine
 *   <dd>where a server of one name runs: its disk, whether it is broken
 *   <dt>modelled server
 *   <dd>one life of a server
 *   <dt>follower
 *   <dd>a state subscription by which some servers hear of cluster state
 *   <dt>watch
 *   <dd>holds every version of cluster state against what must hold of it
 *   <dt>audit
 *   <dd>looks at the whole cluster now and then: what takes too long, and what to report
 * </dl>
 */
package io.uniserve.simulation.scenario.scale;
