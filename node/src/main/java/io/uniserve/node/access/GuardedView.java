package io.uniserve.node.access;

import io.uniserve.runtime.client.ClusterView;
import io.uniserve.runtime.wire.ControlMessage.Scaling;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A view of a cluster that shows the caller of the present request only what it may know. */
record GuardedView(ClusterView view) implements ClusterView {
  /** Returns the state without the tables that the caller may not know. */
  @Override
  public ClusterState state() {
    Rights rights = Caller.current().rights();
    ClusterState state = view.state();
    if (rights.mayReadAll()) {
      return state;
    }
    var ids = new TreeMap<>(state.tableIds());
    ids.keySet().removeIf(name -> !rights.mayKnow(name));
    var tables = new TreeMap<>(state.tables());
    tables.keySet().retainAll(ids.values());
    var streams = new TreeMap<>(state.streams());
    streams.values().removeIf(stream -> !tables.containsKey(stream.table()));
    return new ClusterState(
        state.cluster(),
        state.version(),
        state.controllers(),
        state.servers(),
        tables,
        ids,
        state.placementPaused(),
        state.scaling(),
        state.owners(),
        streams);
  }

  /** Returns a table; refuses whether or not there is such a table. */
  @Override
  public Optional<TableState> table(String name) {
    Caller.current().requireKnowledge(name);
    return view.table(name);
  }

  @Override
  public Subscription onChange(ChangeListener listener) {
    Caller.current().requireWholeCluster();
    return view.onChange(listener);
  }

  @Override
  public List<ServerStatus> statuses(Duration timeout) {
    Caller.current().requireWholeCluster();
    return view.statuses(timeout);
  }

  @Override
  public Load load(Duration timeout) {
    Caller.current().requireWholeCluster();
    return view.load(timeout);
  }

  @Override
  public Scaling scaling(Duration timeout) {
    Caller.current().requireWholeCluster();
    return view.scaling(timeout);
  }
}
