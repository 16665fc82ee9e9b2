package io.uniserve.node.http.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.uniserve.api.ActorId;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** The losses that were accepted since this process began, by table. */
public final class AcceptedLosses {
  private final ConcurrentSkipListMap<String, Long> byTable = new ConcurrentSkipListMap<>();

  AcceptedLosses(UniserveClient client) {
    client.view().onChange(this::changed);
  }

  private void changed(ClusterState after, ControlRecord record) {
    switch (record) {
      case ControlRecord.LossAccepted accepted -> count(after, accepted.actor());
      case ControlRecord.ActorEmptied emptied -> count(after, emptied.actor());
      case ControlRecord.TableRecovered recovered ->
          byTable.merge(recovered.table().definition().name(), 1L, Long::sum);
      default -> {
        // It loses nothing.
      }
    }
  }

  private void count(ClusterState state, ActorId actor) {
    Optional.ofNullable(state.tables().get(actor.table()))
        .map(TableState::definition)
        .ifPresent(definition -> byTable.merge(definition.name(), 1L, Long::sum));
  }

  CounterSnapshot snapshot() {
    CounterSnapshot.Builder counter =
        CounterSnapshot.builder()
            .name("uniserve_losses_accepted")
            .help("Actors, or tables as a whole, that went on without a complete copy");
    byTable.forEach(
        (table, count) ->
            counter.dataPoint(
                CounterDataPointSnapshot.builder()
                    .labels(Labels.of("table", table))
                    .value(count)
                    .build()));
    return counter.build();
  }
}
