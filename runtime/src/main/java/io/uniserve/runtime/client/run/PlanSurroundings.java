package io.uniserve.runtime.client.run;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.client.context.RandomNames;
import io.uniserve.runtime.client.plan.PlanCluster;
import io.uniserve.runtime.client.retrieve.CopyChoice;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerCalls;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.ReadPoint;
import java.util.Optional;
import java.util.Set;

/**
 * The surroundings of plans of map, scatter and gather in this client.
 *
 * @param client the client
 * @param points the points that the plan reads, of tables whose reads see one
 */
record PlanSurroundings(ClientContext client, ReadPoints points) implements PlanCluster {
  private static final int RUNS_MAX = 5;

  @Override
  public Environment environment() {
    return client.environment();
  }

  @Override
  public Engines engines() {
    return client.engines();
  }

  @Override
  public ServerCalls calls() {
    return client.calls();
  }

  @Override
  public ClusterState state() {
    return client.state();
  }

  @Override
  public TableState requireTable(String name, Deadline deadline) {
    return client.requireTable(name, deadline);
  }

  @Override
  public Optional<ReadPoint> pointOf(TableState table) {
    return points.of(table);
  }

  @Override
  public Listening onChange(Runnable task) {
    return client.changes().add(task);
  }

  @Override
  public CopyChooser chooser() {
    ClusterState state = client.state();
    CopyChoice choice = new CopyChoice(state, client.load());
    return (ActorId actor, Set<String> avoided) ->
        state.actor(actor).flatMap(known -> choice.choose(known, avoided));
  }

  @Override
  public void count(String server, int tasks) {
    if (tasks > 0) {
      client.load().begin(server, tasks);
    } else {
      client.load().end(server, -tasks);
    }
  }

  @Override
  public String newName() {
    return RandomNames.next(client.environment());
  }

  @Override
  public Limits limits() {
    ClientSettings settings = client.settings();
    return new Limits(
        settings.attemptsMax(),
        settings.retryDelay(),
        settings.patience(),
        settings.valuesMax(),
        RUNS_MAX);
  }
}
