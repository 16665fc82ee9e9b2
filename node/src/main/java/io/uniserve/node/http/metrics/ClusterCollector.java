package io.uniserve.node.http.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.uniserve.node.http.base.Statuses;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The statuses of the servers, as metrics. */
final class ClusterCollector implements MultiCollector {
  private final Supplier<ClusterState> state;
  private final Statuses statuses;
  private final AcceptedLosses losses;

  ClusterCollector(Supplier<ClusterState> state, Statuses statuses, AcceptedLosses losses) {
    this.state = state;
    this.statuses = statuses;
    this.losses = losses;
  }

  @Override
  public MetricSnapshots collect() {
    ClusterState now = state.get();
    List<ServerStatus> servers = statuses.get();
    CopyFigures copies = CopyFigures.of(now, servers);
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    all.metricSnapshot(alive(now));
    all.metricSnapshot(waiting(now));
    all.metricSnapshot(losses.snapshot());
    StreamFigures.of(now).forEach(all::metricSnapshot);
    all.metricSnapshot(
        gauge(
            "uniserve_server_operators_running",
            "Operators that compute now",
            servers,
            ServerStatus::operatorsRunning));
    all.metricSnapshot(
        gauge(
            "uniserve_server_operators_waiting",
            "Operators that wait for a thread",
            servers,
            ServerStatus::operatorsWaiting));
    all.metricSnapshot(
        gauge(
            "uniserve_server_scan_slots",
            "Slots for pages of scans",
            servers,
            status -> status.scans().slots()));
    all.metricSnapshot(
        gauge(
            "uniserve_server_scan_slots_granted",
            "Slots that scans have now",
            servers,
            status -> status.scans().granted()));
    all.metricSnapshot(
        gauge(
            "uniserve_server_scan_requests_waiting",
            "Requests of scans that wait for a slot",
            servers,
            status -> status.scans().waiting()));
    all.metricSnapshot(
        gauge(
            "uniserve_server_scan_versions",
            "Versions of actors that are kept for scans",
            servers,
            status -> status.scans().versions()));
    all.metricSnapshot(
        copyCounter(
            "uniserve_operators", "Operators that have run", copies, CopyFigures.Sum::operators));
    all.metricSnapshot(
        copyCounter(
            "uniserve_copy_updates",
            "Updates applied to copies",
            copies,
            CopyFigures.Sum::updates));
    all.metricSnapshot(
        copyCounter(
            "uniserve_short_updates",
            "Updates taken past the order of their table, by primaries",
            copies,
            CopyFigures.Sum::shortUpdates));
    all.metricSnapshot(
        copyCounter(
            "uniserve_operators_cost",
            "Summed cost of operators, CPU microseconds unless the engine says otherwise",
            copies,
            CopyFigures.Sum::cost));
    all.metricSnapshot(
        copyGauge("uniserve_copies", "Copies of actors", copies, CopyFigures.Sum::copies));
    all.metricSnapshot(
        copyGauge(
            "uniserve_copies_primary", "Copies that lead", copies, CopyFigures.Sum::primaries));
    all.metricSnapshot(
        copyGauge(
            "uniserve_copy_memory_bytes",
            "Memory of copies",
            copies,
            CopyFigures.Sum::memoryBytes));
    all.metricSnapshot(
        copyGauge(
            "uniserve_copy_disk_bytes", "Files of copies", copies, CopyFigures.Sum::diskBytes));
    all.metricSnapshot(
        copyGauge(
            "uniserve_replication_lag_updates",
            "Updates that the copy furthest behind its primary still lacks",
            copies,
            CopyFigures.Sum::replicationLag));
    all.metricSnapshot(
        copyGauge(
            "uniserve_backup_lag_updates",
            "Updates that the durable store still lacks, of the primary furthest ahead",
            copies,
            CopyFigures.Sum::backupLag));
    all.metricSnapshot(
        copyGauge(
            "uniserve_backup_lag_seconds",
            "For how long the durable store has lacked updates, of the primary where it is longest",
            copies,
            CopyFigures.Sum::backupLagSeconds));
    return all.build();
  }

  private static GaugeSnapshot alive(ClusterState state) {
    List<GaugeDataPointSnapshot> points = new ArrayList<>();
    state
        .servers()
        .forEach(
            (name, server) ->
                points.add(gaugePoint(Labels.of("server", name), server.alive() ? 1 : 0)));
    return gauge("uniserve_server_alive", "1 if the server is alive", points);
  }

  private static GaugeSnapshot waiting(ClusterState state) {
    List<GaugeDataPointSnapshot> points = new ArrayList<>();
    for (TableState table : state.tables().values()) {
      long waiting =
          table.living().keySet().stream()
              .filter(number -> state.waits(table.actorId(number)))
              .count();
      points.add(gaugePoint(Labels.of("table", table.definition().name()), waiting));
    }
    return gauge("uniserve_actors_waiting", "Actors that wait for a complete copy", points);
  }

  private static GaugeSnapshot gauge(
      String name, String help, List<ServerStatus> servers, ToDoubleFunction<ServerStatus> figure) {
    return gauge(
        name,
        help,
        servers.stream()
            .map(
                status ->
                    gaugePoint(Labels.of("server", status.server()), figure.applyAsDouble(status)))
            .toList());
  }

  private static GaugeSnapshot copyGauge(
      String name, String help, CopyFigures copies, ToDoubleFunction<CopyFigures.Sum> figure) {
    List<GaugeDataPointSnapshot> points = new ArrayList<>();
    copies
        .sums()
        .forEach((key, sum) -> points.add(gaugePoint(key.labels(), figure.applyAsDouble(sum))));
    return gauge(name, help, points);
  }

  private static CounterSnapshot copyCounter(
      String name, String help, CopyFigures copies, ToDoubleFunction<CopyFigures.Sum> figure) {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
    copies
        .sums()
        .forEach(
            (key, sum) ->
                counter.dataPoint(
                    CounterDataPointSnapshot.builder()
                        .labels(key.labels())
                        .value(figure.applyAsDouble(sum))
                        .build()));
    return counter.build();
  }

  private static GaugeSnapshot gauge(
      String name, String help, List<GaugeDataPointSnapshot> points) {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
    points.forEach(gauge::dataPoint);
    return gauge.build();
  }

  private static GaugeDataPointSnapshot gaugePoint(Labels labels, double value) {
    return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }
}
