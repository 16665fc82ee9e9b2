package io.uniserve.gateways.druid;

import io.uniserve.runtime.client.ClusterAdmin;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.stream.SkippedRecord;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamPartition;
import io.uniserve.runtime.wire.stream.StreamState;
import io.uniserve.runtime.wire.stream.StreamState.Status;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The streams of one table, which nobody reads but the test that says so. */
final class LocalStreams {
  private static final long TABLE = 1;

  private final SortedMap<String, StreamState> streams = new TreeMap<>();
  private int created;

  /** Returns a state that has these streams. */
  ClusterState in(ClusterState state) {
    return new ClusterState(
        state.cluster(),
        state.version(),
        state.controllers(),
        state.servers(),
        state.tables(),
        state.tableIds(),
        state.placementPaused(),
        state.scaling(),
        state.owners(),
        new TreeMap<>(streams));
  }

  /** Returns an administration that does nothing but change streams. */
  ClusterAdmin admin(ClusterState state) {
    return (ClusterAdmin)
        Proxy.newProxyInstance(
            ClusterAdmin.class.getClassLoader(),
            new Class<?>[] {ClusterAdmin.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "putStream" ->
                    put((StreamDefinition) arguments[0], (Boolean) arguments[1], state);
                case "pauseStream" ->
                    change(
                        (String) arguments[0],
                        (Boolean) arguments[1] ? Status.PAUSED : Status.RUNNING);
                case "endStream" -> change((String) arguments[0], Status.ENDED);
                case "resetStream" -> {
                  StreamState former = in(state).requireStream((String) arguments[0]);
                  streams.remove(former.name());
                  put(former.definition(), false, state);
                }
                default -> throw new UnsupportedOperationException(method.getName());
              }
              return in(state);
            });
  }

  private void put(StreamDefinition definition, boolean paused, ClusterState state) {
    state.requireTable(definition.table());
    StreamState stream =
        streams.containsKey(definition.name())
            ? streams.get(definition.name()).redefined(definition)
            : StreamState.created("identity" + ++created, TABLE, definition);
    streams.put(definition.name(), stream.with(paused ? Status.PAUSED : Status.RUNNING, ""));
  }

  private void change(String name, Status status) {
    streams.computeIfPresent(name, (same, stream) -> stream.with(status, ""));
  }

  /** Has a process read a stream up to some place. */
  void read(String name, List<StreamPartition> partitions, List<SkippedRecord> skipped) {
    streams.computeIfPresent(
        name, (same, stream) -> stream.takenBy("p1/ab").advanced("topic", partitions, skipped));
  }

  /** Has a stream stop. */
  void fail(String name, String why) {
    streams.computeIfPresent(name, (same, stream) -> stream.with(Status.FAILED, why));
  }

  /** Returns the identity of a stream. */
  String identity(String name) {
    return streams.get(name).identity();
  }

  /** Returns the description of a stream. */
  StreamDefinition definition(String name) {
    return streams.get(name).definition();
  }
}
