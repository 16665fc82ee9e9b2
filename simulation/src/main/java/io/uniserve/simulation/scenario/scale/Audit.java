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
 * Looks at the whole cluster twice a minute: how evenly the work is spread, and for how long each
 * actor has been without what it should have. Too long, while it could have it, is a failure.
 */
final class Audit {
  static final Duration INTERVAL = Duration.ofSeconds(30);

  /** A primary that is lost has been replaced by then, if any copy of its actor lives. */
  private static final Duration UNLED_MAX = Duration.ofMinutes(5);

  /** As many copies as its table asks for can be read again by then. */
  private static final Duration SHORT_MAX = Duration.ofMinutes(30);

  private final LongSupplier nanos;
  private final DayOfLoad day;
  private final Map<ActorId, Long> unledSince = new TreeMap<>();
  private final Map<ActorId, Long> shortSince = new TreeMap<>();
  private long unledLongest;
  private long shortLongest;
  private Figures figures = new Figures(0, 0, 0, 0, 0, 0);

  /**
   * What it saw at one moment.
   *
   * @param alive servers that live
   * @param utilization the mean of those
   * @param busiest how busy the busiest was, should it be able to do more than all it can
   * @param overloaded servers that are asked for more than they can do
   * @param lacking actors that have too few readable copies
   * @param silent actors of which no copy can be read
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

  /** The longest time for which an actor had no living primary though a copy of it lived. */
  Duration unledLongest() {
    return Duration.ofNanos(unledLongest);
  }

  /** The longest time for which an actor had too few readable copies. */
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
