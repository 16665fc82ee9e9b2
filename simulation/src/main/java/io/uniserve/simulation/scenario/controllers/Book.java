package io.uniserve.simulation.scenario.controllers;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** The book of requests, answers and published states. */
final class Book {
  private final LongSupplier nanos;
  private final TreeMap<Long, ClusterState> states = new TreeMap<>();
  private final Map<String, ClusterState> seen = new TreeMap<>();
  private final TreeMap<Long, Integer> ordered = new TreeMap<>();
  private final Map<String, Long> joinsSent = new TreeMap<>();
  private final Map<String, Long> joinsAnswered = new TreeMap<>();
  private final Map<String, Long> incarnations = new TreeMap<>();
  private final Map<String, Long> leaseEnds = new TreeMap<>();
  private long messagesSent;
  private long messagesOrdered;
  private long answers;

  Book(LongSupplier nanos) {
    this.nanos = nanos;
  }

  long now() {
    return nanos.getAsLong();
  }

  long answers() {
    return answers;
  }

  /**
   * Looks at a controller's state. It is the same that any controller had at that version, and
   * never older than before.
   */
  void look(String controller, ClusterState state) {
    ClusterState before = seen.put(controller, state);
    if (state == before) {
      return;
    }
    ClusterState known = states.putIfAbsent(state.version(), state);
    Invariant.TOTAL_ORDER.require(
        known == null || known.equals(state),
        () -> controller + " has " + state + " where another had " + known);
    if (known == null) {
      state.servers().values().forEach(this::checkLease);
    }
  }

  private void checkLease(ServerState server) {
    Long end = leaseEnds.get(server.name() + "#" + server.incarnation());
    Invariant.ONE_PRIMARY.require(
        server.alive() || end == null || end <= now(),
        () -> server + " is given up " + (end - now()) + " ns before its lease ends");
  }

  void ordering(int count) {
    messagesSent += count;
  }

  long highestOrdered() {
    return ordered.isEmpty() ? 0 : ordered.lastKey() + ordered.lastEntry().getValue() - 1;
  }

  /**
   * Notes places of messages. Nobody else has them, and they are behind all that had places when
   * these were sent.
   */
  void ordered(long first, int count, long floor) {
    answers++;
    messagesOrdered += count;
    Invariant.TOTAL_ORDER.require(
        first > floor, () -> "messages are ordered at " + first + ", sent after " + floor);
    Map.Entry<Long, Integer> below = ordered.floorEntry(first + count - 1);
    Invariant.TOTAL_ORDER.require(
        below == null || below.getKey() + below.getValue() <= first,
        () -> count + " messages are ordered at " + first + ", others at " + below);
    ordered.put(first, count);
  }

  void joining(String server) {
    joinsSent.merge(server, 1L, Long::sum);
  }

  /** Notes a join. Each request counts once, whether its answer came or not. */
  void joined(String server, long incarnation) {
    answers++;
    joinsAnswered.merge(server, 1L, Long::sum);
    Long last = incarnations.put(server, incarnation);
    Invariant.TOTAL_ORDER.require(
        (last == null || incarnation > last)
            && incarnation >= joinsAnswered.get(server)
            && incarnation <= joinsSent.get(server),
        () ->
            server
                + " joined for the "
                + incarnation
                + "th time, after "
                + last
                + ", and asked for it "
                + joinsSent.get(server)
                + " times");
  }

  /** Notes a lease, which counts from when it was asked for. */
  void leased(String server, long incarnation, long endNanos) {
    answers++;
    String life = server + "#" + incarnation;
    leaseEnds.merge(life, endNanos, Math::max);
    ClusterState newest = states.isEmpty() ? ClusterState.EMPTY : states.lastEntry().getValue();
    ServerState known = newest.servers().get(server);
    Invariant.ONE_PRIMARY.require(
        known == null || known.alive() || known.incarnation() != incarnation || endNanos <= now(),
        () -> life + " gets a lease although it was given up");
  }

  void checkFinally(ClusterState state, long messages) {
    Invariant.TOTAL_ORDER.require(
        messages >= messagesOrdered && messages <= messagesSent,
        () -> messages + " messages are in the log, of " + messagesSent + " sent");
    Invariant.ACKNOWLEDGED_SURVIVES.require(
        messages >= highestOrdered(), () -> "message " + highestOrdered() + " is lost");
    incarnations.forEach(
        (server, incarnation) ->
            Invariant.ACKNOWLEDGED_SURVIVES.require(
                state.servers().get(server).incarnation() >= incarnation
                    && state.servers().get(server).incarnation() <= joinsSent.get(server),
                () -> server + " joined " + incarnation + " times, but is " + state.servers()));
  }

  @Override
  public String toString() {
    return answers + " answers, " + states.size() + " states";
  }
}
