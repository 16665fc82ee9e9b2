/**
 * The servers. They hold copies of actors, run operators on them, replicate and back up their
 * updates (DPA §4.1-§4.3).
 *
 * <dl>
 *   <dt>replica
 *   <dd>this server's copy of one actor: the engine's actor, its update log and its checkpoints
 *   <dt>checkpoint
 *   <dd>the engine's files as of one position, on this server's disk
 *   <dt>driver
 *   <dd>the thread that brings one replica to the state that cluster state assigns
 *   <dt>lease
 *   <dd>the time for which this server may act as a primary without hearing from the coordinator
 * </dl>
 *
 * <p>An update is first appended to the primary's log, then applied, then shown to followers and
 * acknowledged. A replica that is opened again is the newest checkpoint plus the log after it; all
 * of that is made visible before it is read.
 */
package io.uniserve.runtime.server;
