package io.uniserve.node.http.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.stream.StreamPartition;
import io.uniserve.runtime.wire.stream.StreamState;
import io.uniserve.runtime.wire.stream.StreamState.Status;
import java.util.List;

/** The progress of streams, as metrics. */
final class StreamFigures {
  private StreamFigures() {}

  /** Returns the lag and the skipped records of each partition, and which streams are read. */
  static List<MetricSnapshot> of(ClusterState state) {
    GaugeSnapshot.Builder running =
        GaugeSnapshot.builder().name("uniserve_stream_running").help("1 if the stream is read");
    GaugeSnapshot.Builder lag =
        GaugeSnapshot.builder()
            .name("uniserve_stream_lag_records")
            .help("Records of a partition that are yet to be stored");
    CounterSnapshot.Builder skipped =
        CounterSnapshot.builder()
            .name("uniserve_stream_skipped_records")
            .help("Records of a partition that the table could not take");
    for (StreamState stream : state.streams().values()) {
      running.dataPoint(
          gauge(Labels.of("stream", stream.name()), stream.status() == Status.RUNNING ? 1 : 0));
      for (StreamPartition partition : stream.partitions()) {
        Labels labels =
            Labels.of("stream", stream.name(), "partition", String.valueOf(partition.number()));
        lag.dataPoint(gauge(labels, partition.lag()));
        skipped.dataPoint(
            CounterDataPointSnapshot.builder().labels(labels).value(partition.skipped()).build());
      }
    }
    return List.of(running.build(), lag.build(), skipped.build());
  }

  private static GaugeDataPointSnapshot gauge(Labels labels, double value) {
    return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }
}
