package io.uniserve.runtime.client;

import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.load.QuerySets;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.Routers;
import io.uniserve.runtime.wire.cluster.StateSubscription;

/**
 * What the parts of a client share.
 *
 * @param environment of its process
 * @param routers those that decide
 * @param engines of its process
 * @param subscription its copy of cluster state
 * @param changes hear of every change of cluster state
 * @param seen what it has seen and written of tables whose reads are of one version
 * @param load what it has under way on each server
 * @param sets counts what its queries read together
 * @param hedging when it asks a second copy
 * @param settings how it works
 */
record ClientContext(
    Environment environment,
    Routers routers,
    Engines engines,
    StateSubscription subscription,
    StateChanges changes,
    SeenVersions seen,
    ServerLoad load,
    QuerySets sets,
    Hedging hedging,
    ClientSettings settings) {
  ClusterState state() {
    return subscription.state();
  }
}
