/**
 * The discrete-event simulator of the PODP paper (§4): queries over sets of shards, served by
 * multi-core servers, under a placement.
 *
 * <ul>
 *   <li><b>tick</b>: the unit of time; 200 µs where milliseconds are given;
 *   <li><b>access</b>: one query's work on one shard, so many ticks of one core;
 *   <li><b>queue</b>: the accesses that a server has to finish, those on its cores included;
 *   <li><b>mix</b>: the sets of shards that queries ask for, with their frequencies, which stay the
 *       same from the first query to the last.
 * </ul>
 *
 * Everything follows from a seed; every policy gets the very same queries at the same ticks.
 */
package io.uniserve.simulation.queueing;
