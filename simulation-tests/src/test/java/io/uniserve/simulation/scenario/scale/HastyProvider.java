package io.uniserve.simulation.scenario.scale;

import io.uniserve.runtime.control.scaling.ServerNames;
import io.uniserve.runtime.control.scaling.ServerProvider;
import io.uniserve.runtime.wire.cluster.ClusterState;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/** A provider that does not wait until a server is empty before it removes the server. */
record HastyProvider(ServerProvider provider, Supplier<ClusterState> newest)
    implements ServerProvider {
  @Override
  public ServerNames names() {
    return provider.names();
  }

  @Override
  public boolean endsAny() {
    return provider.endsAny();
  }

  @Override
  public void want(long version, SortedSet<String> running) {
    TreeSet<String> fleet = new TreeSet<>(running);
    fleet.retainAll(newest.get().scaling().fleet());
    provider.want(version, fleet);
  }

  @Override
  public Optional<String> problem() {
    return provider.problem();
  }
}
