/**
 * The messages between clients, servers and the coordinator, which meet only here.
 *
 * <dl>
 *   <dt>position
 *   <dd>a place in the update log of one actor: epoch and sequence
 *   <dt>payload
 *   <dd>a value of an engine's own types, opaque to the runtime
 *   <dt>attempt
 *   <dd>one try at an actor's share of a query
 * </dl>
 */
package io.uniserve.runtime.wire;
