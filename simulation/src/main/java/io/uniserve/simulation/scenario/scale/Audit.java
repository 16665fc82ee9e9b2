package io.uniserve.simulation.scenario.scale;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The audit of the whole cluster, twice a minute: how evenly the work is spread, and for how long
 * each actor lacks what it should have. If it lacks it too long, and could have it, that is a
 * failure.
 */
final class Audit {
  static final Duration INTERVAL = Duration.ofSeconds(30);

  /**
   * The longest time without a primary. A lost primary has been replaced by then, if any copy of
   * its actor is alive.
   */
  private static final Duration UNLED_MAX = Duration.ofMinutes(5);

  /** The longest time with too few readable copies. */
  private static final Duration SHORT_MAX = Duration.ofMinutes(30);

  private final LongSupplier nanos;
  private final DayOfLoad day;
  private final Map<ActorId, Long> unledSince = new TreeMap<>();
  private final Map<ActorId, Long> shortSince = new TreeMap<>();
  private long unledLongest;
  private long shortLongest;
  private Figures figures = new Figures(0, 0, 0, 0, 0, 0);

  /**
   * The figures of one moment.
   *
   * @param alive living servers
   * @param utilization the mean of those
   * @param busiest the load of the busiest server, as a share of its capacity, which it may exceed
   * @param overloaded servers asked for more than they can do
   * @param lacking actors with too few readable copies
   * @param silent actors without a readable copy
   */
  record Figures(
      int alive, double utilization, double busiest, int overloaded, int lacking, int silent) {}

  Audit(LongSupplier nanos, DayOfLoad day) {
    this.nanos = nanos;
    this.day = day;
  }

  Figures figures() {
    return figures;
  }

  /**
   * Returns the longest time for which an actor had no living primary though a copy of it was
   * alive.
   */
  Duration unledLongest() {
    return Duration.ofNanos(unledLongest);
  }

  /** Returns the longest time for which an actor had too few readable copies. */
  Duration shortLongest() {
    return Duration.ofNanos(shortLongest);
  }

  void look(ClusterState state) {
    TreeMap<String, Double> loads = new TreeMap<>();
    state.servers().values().stream()
        .filter(server -> server.alive())
        .forEach(server -> loads.put(server.name(), 0.0));
    int lacking = 0;
    int silent = 0;
    for (TableState table : state.tables().values()) {
      int replicas = Math.min(table.definition().replicas(), loads.size());
      for (int number = 0; number < table.actors().size(); number++) {
        ActorState actor = table.actors().get(number);
        long readable = actor.copies().stream().filter(c -> Watch.readable(state, c)).count();
        lacking += readable < replicas ? 1 : 0;
        silent += readable == 0 ? 1 : 0;
        ActorId id = table.actorId(number);
        since(shortSince, id, readable < replicas);
        since(unledSince, id, !state.alive(actor.primary()) && readable > 0);
        spread(state, actor, day.of(number) / Math.max(1, readable), loads);
      }
    }
    shortLongest = longest(shortSince, shortLongest, SHORT_MAX, "too few readable copies");
    unledLongest = longest(unledSince, unledLongest, UNLED_MAX, "no living primary");
    figures = figures(loads, lacking, silent);
  }

  private static void spread(
      ClusterState state, ActorState actor, double each, Map<String, Double> loads) {
    for (CopyState copy : actor.copies()) {
      if (Watch.readable(state, copy)) {
        loads.merge(copy.server(), each, Double::sum);
      }
    }
  }

  private static Figures figures(Map<String, Double> loads, int lacking, int silent) {
    double sum = loads.values().stream().mapToDouble(Double::doubleValue).sum();
    double busiest = loads.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    int over = (int) loads.values().stream().filter(busy -> busy > Surroundings.WORKERS).count();
    double threads = Surroundings.WORKERS;
    return new Figures(
        loads.size(),
        sum / threads / Math.max(1, loads.size()),
        busiest / threads,
        over,
        lacking,
        silent);
  }

  private void since(Map<ActorId, Long> since, ActorId id, boolean now) {
    if (now) {
      since.putIfAbsent(id, nanos.getAsLong());
    } else {
      since.remove(id);
    }
  }

  private long longest(Map<ActorId, Long> since, long before, Duration most, String what) {
    long longest = before;
    for (Map.Entry<ActorId, Long> entry : since.entrySet()) {
      long lasts = nanos.getAsLong() - entry.getValue();
      longest = Math.max(longest, lasts);
      Invariant.PROGRESS.require(
          lasts <= most.toNanos(), () -> entry.getKey() + " has had " + what + " for " + most);
    }
    return longest;
  }
}
