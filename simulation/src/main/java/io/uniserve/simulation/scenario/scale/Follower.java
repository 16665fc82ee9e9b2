package io.uniserve.simulation.scenario.scale;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.StateListener;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The production state subscription, through which some servers hear of cluster state. A
 * subscription for each server would fill the memory of the one machine that all of them run on.
 */
final class Follower implements StateListener {
  private final Watch watch;
  private final StateSubscription subscription;
  private final Map<String, ModelledServer> servers = new LinkedHashMap<>();
  private ClusterState state = ClusterState.EMPTY;

  Follower(Environment environment, List<Address> controllers, Watch watch) {
    this.watch = watch;
    subscription =
        new StateSubscription(environment, new Controllers(environment, controllers), this);
    subscription.start();
  }

  /** Returns the newest state that has arrived. */
  ClusterState state() {
    return state;
  }

  /** Adds a server, which hears from now on of changes that concern it. */
  void add(String name, ModelledServer server) {
    servers.put(name, server);
  }

  void remove(String name) {
    servers.remove(name);
  }

  @Override
  public void changed(ClusterState next, ControlRecord record) {
    ClusterState before = state;
    state = next;
    watch.told(before, next, record);
    switch (record) {
      case ControlRecord.ServerJoined joined -> {
        changed(joined.server());
        Optional.ofNullable(servers.get(joined.server())).ifPresent(ModelledServer::lookAtAll);
      }
      case ControlRecord.ServerFailed failed -> changed(failed.server());
      case ControlRecord.TableCreated created ->
          servers.values().forEach(ModelledServer::lookAtAll);
      default -> Touched.by(record).ifPresent(id -> changed(before, id));
    }
  }

  @Override
  public void reloaded(ClusterState next) {
    state = next;
    watch.reloaded(next);
    servers.values().forEach(ModelledServer::lookAtAll);
  }

  private void changed(ClusterState before, ActorId id) {
    TreeSet<String> touched = new TreeSet<>();
    Consumer<ActorState> add = actor -> actor.copies().forEach(copy -> touched.add(copy.server()));
    before.actor(id).ifPresent(add);
    state.actor(id).ifPresent(add);
    touched.forEach(server -> tell(server, id));
  }

  /** Tells the servers that share an actor with a server whether that is alive. */
  private void changed(String server) {
    state.forEachActor(
        (id, actor) -> {
          if (actor.copyOn(server).isPresent()) {
            actor.copies().stream().map(CopyState::server).forEach(holder -> tell(holder, id));
          }
        });
  }

  private void tell(String server, ActorId id) {
    ModelledServer told = servers.get(server);
    if (told != null) {
      told.look(id);
    }
  }
}
