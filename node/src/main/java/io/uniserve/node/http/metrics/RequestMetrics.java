package io.uniserve.node.http.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The counts and times of each table's queries and updates that pass through this process. */
public final class RequestMetrics {
  private static final Duration[] BOUNDS = {
    Duration.ofNanos(100_000),
    Duration.ofNanos(250_000),
    Duration.ofNanos(500_000),
    Duration.ofMillis(1),
    Duration.ofNanos(2_500_000),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(2),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10)
  };

  private final MeterRegistry registry;
  private final OpenScans scans;
  private final LatencyWindow window = new LatencyWindow();
  private final Map<String, Timed> queries = new ConcurrentHashMap<>();
  private final Map<String, Timed> updates = new ConcurrentHashMap<>();
  private final Map<String, Counter> records = new ConcurrentHashMap<>();

  public RequestMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.scans = new OpenScans(registry);
  }

  /** Returns the latencies of all queries since they were last drained. */
  public LatencyWindow window() {
    return window;
  }

  /** Returns the scans under way. */
  public OpenScans scans() {
    return scans;
  }

  Timed queries(String table) {
    return queries.computeIfAbsent(table, name -> timed("uniserve.queries", name, window));
  }

  Timed updates(String table) {
    return updates.computeIfAbsent(
        table, name -> timed("uniserve.updates", name, new LatencyWindow()));
  }

  void stored(String table, int count) {
    records
        .computeIfAbsent(
            table,
            name ->
                Counter.builder("uniserve.records.stored")
                    .description("Records stored through this process")
                    .tag("table", name)
                    .register(registry))
        .increment(count);
  }

  private Timed timed(String name, String table, LatencyWindow latencies) {
    return new Timed(timer(name, table, "ok"), timer(name, table, "failed"), latencies);
  }

  private Timer timer(String name, String table, String outcome) {
    return Timer.builder(name)
        .description("Requests that passed through this process")
        .tag("table", table)
        .tag("outcome", outcome)
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  /** Drops the figures of a table that was dropped. */
  void forget(String table) {
    Counter counter = records.remove(table);
    if (counter != null) {
      registry.remove(counter);
    }
    for (Map<String, Timed> timers : List.of(queries, updates)) {
      Timed timed = timers.remove(table);
      if (timed != null) {
        registry.remove(timed.succeeded());
        registry.remove(timed.failed());
      }
    }
  }

  /** The timers of requests of one kind and table. */
  record Timed(Timer succeeded, Timer failed, LatencyWindow window) {
    void record(long nanos, boolean success) {
      (success ? succeeded : failed).record(Duration.ofNanos(nanos));
      window.record(nanos);
    }
  }
}
