package io.uniserve.runtime.client.plan;

import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerCalls;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.ReadPoint;
import java.util.List;
import java.util.Optional;

/**
 * A cluster that stays as it is.
 *
 * @param environment the environment of the client
 * @param state all that the client ever hears
 * @param calls the calls to servers
 * @param chooser the chooser of copies
 * @param limits the limits of plans
 */
record StillCluster(
    Environment environment,
    ClusterState state,
    ServerCalls calls,
    CopyChooser chooser,
    Limits limits)
    implements PlanCluster {
  @Override
  public Engines engines() {
    return new Engines(List.of(new StillEngine(true)));
  }

  @Override
  public TableState requireTable(String name, Deadline deadline) {
    return state.requireTable(name);
  }

  @Override
  public Optional<ReadPoint> pointOf(TableState table) {
    return Optional.empty();
  }

  @Override
  public Listening onChange(Runnable task) {
    return () -> {};
  }

  @Override
  public void count(String server, int tasks) {
    // nobody compares servers
  }

  @Override
  public String newName() {
    return "run";
  }
}
