package io.uniserve.node.http.metrics;

import io.uniserve.node.http.base.Statuses;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.ServerStatus.ActorStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The load as it happens: the work of each server since the last sample, from the difference of its
 * counters. For one thread.
 */
public final class LoadSampler {
  private final UniserveClient client;
  private final Statuses statuses;
  private final LatencyWindow latencies;
  private final Map<String, Counters> last = new LinkedHashMap<>();
  private long lastNanos = System.nanoTime();

  public LoadSampler(UniserveClient client, Statuses statuses, LatencyWindow latencies) {
    this.client = client;
    this.statuses = statuses;
    this.latencies = latencies;
  }

  /** Counters of one life of a server. */
  private record Counters(long incarnation, long operators, long updates, double cost) {
    static Counters of(ServerStatus status) {
      long operators = 0;
      long updates = 0;
      double cost = 0;
      for (ActorStatus actor : status.actors()) {
        operators += actor.operators();
        updates += actor.updates();
        cost += actor.cost();
      }
      return new Counters(status.incarnation(), operators, updates, cost);
    }
  }

  /** Returns the work since the last sample. */
  public Map<String, Object> sample() {
    long now = System.nanoTime();
    double seconds = Math.max(1e-3, (now - lastNanos) / 1e9);
    lastNanos = now;
    LatencyWindow.Summary queries = latencies.drain();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("version", client.state().version());
    document.put("queriesPerSecond", queries.count() / seconds);
    document.put("medianMillis", queries.medianMillis());
    document.put("p99Millis", queries.p99Millis());
    List<Object> servers = new ArrayList<>();
    statuses.get().forEach(status -> servers.add(server(status, seconds)));
    document.put("servers", servers);
    return document;
  }

  private Map<String, Object> server(ServerStatus status, double seconds) {
    Counters now = Counters.of(status);
    Counters before = last.put(status.server(), now);
    if (before == null || before.incarnation() != now.incarnation()) {
      before = now;
    }
    // The counters of a copy that moved away are gone with it, so a difference is never shown below
    // zero.
    double operators = Math.max(0, now.operators() - before.operators());
    double cost = Math.max(0, now.cost() - before.cost());
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", status.server());
    document.put("operatorsPerSecond", operators / seconds);
    document.put("updatesPerSecond", Math.max(0, now.updates() - before.updates()) / seconds);
    document.put("costPerSecond", cost / seconds);
    document.put("costPerOperator", operators == 0 ? 0 : cost / operators);
    document.put("running", status.operatorsRunning());
    document.put("waiting", status.operatorsWaiting());
    return document;
  }
}
