/**
 * The client's side of the runtime: routing by a pushed copy of cluster state, retries, deadlines,
 * plans and updates (DPA §4.1). Gateways and applications see this package, and of the rest only
 * the cluster state of {@code wire.cluster}.
 */
package io.uniserve.runtime.client;
