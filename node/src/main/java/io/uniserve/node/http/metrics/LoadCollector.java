package io.uniserve.node.http.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.uniserve.runtime.wire.LoadMessage.ActorLoad;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.LoadMessage.ServerLoad;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The load that the coordinator knows, as metrics: few, however many actors there are. */
final class LoadCollector implements MultiCollector {
  private final Supplier<ClusterState> state;
  private final Loads loads;

  LoadCollector(Supplier<ClusterState> state, Loads loads) {
    this.state = state;
    this.loads = loads;
  }

  @Override
  public MetricSnapshots collect() {
    Load load = loads.get();
    return MetricSnapshots.builder()
        .metricSnapshot(utilization(load))
        .metricSnapshot(tables(load))
        .metricSnapshot(
            single(
                "uniserve_query_sets",
                "Sets of actors that queries read together and that are counted one by one",
                load.setsKnown()))
        .build();
  }

  private static GaugeSnapshot utilization(Load load) {
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder()
            .name("uniserve_server_utilization")
            .help("Share of the time of a server's worker threads that was used, 0 to 1");
    load.servers().stream()
        .filter(ServerLoad::known)
        .forEach(
            server ->
                gauge.dataPoint(
                    point(Labels.of("server", server.server()), server.figures().utilization())));
    return gauge.build();
  }

  private GaugeSnapshot tables(Load load) {
    ClusterState now = state.get();
    SortedMap<String, Double> sums = new TreeMap<>();
    for (ActorLoad actor : load.actors()) {
      TableState table = now.tables().get(actor.actor().table());
      if (table != null) {
        sums.merge(table.definition().name(), actor.load(), Double::sum);
      }
    }
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder()
            .name("uniserve_table_load_threads")
            .help("Worker threads that the operators of a table's busiest actors keep busy");
    sums.forEach((table, sum) -> gauge.dataPoint(point(Labels.of("table", table), sum)));
    return gauge.build();
  }

  private static GaugeSnapshot single(String name, String help, double value) {
    return GaugeSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(point(Labels.EMPTY, value))
        .build();
  }

  private static GaugeDataPointSnapshot point(Labels labels, double value) {
    return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }
}
