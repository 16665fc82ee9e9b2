package io.uniserve.bench.ordered;

import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.report.Figures;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Section 7.9: the latency of the order at some rates, and its throughput by the number of clients
 * and by the size of a write, on an engine whose writes take no time.
 */
final class OrderLimits implements Experiment {
  private static final int PROCESSES = 3;
  private static final int COPIES = 2;
  private static final int ACTORS = 6;
  private static final long KEYS = 100_000;
  private static final List<Integer> RATES = List.of(500, 1_000, 2_000, 5_000, 10_000);
  private static final List<Integer> CLIENTS = List.of(1, 4, 16, 64, 256, 1_024);
  private static final List<Integer> PAYLOADS = List.of(16, 128, 1_024, 4_096);
  private static final int UNDER_WAY = 4_096;
  private static final double AIM_MILLIS = 2;
  private static final double SAME = 0.8;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Override
  public String name() {
    return "7.9";
  }

  @Override
  public Result run(Conditions conditions) {
    Conditions own = conditions.in("limits");
    try (StorageCluster cluster =
        StorageCluster.start(own.directory(), PROCESSES, new Partitioner.Hash(ACTORS), COPIES, 0)) {
      throughput(cluster, 1, "", own.time()); // loads and compiles the program
      Map<Integer, Trace> latencies = new TreeMap<>();
      for (int rate : conditions.quick() ? RATES.subList(0, 2) : RATES) {
        latencies.put(rate, atRate(cluster, rate, own.time()));
      }
      Map<Integer, Double> byClients = new TreeMap<>();
      CLIENTS.forEach(count -> byClients.put(count, throughput(cluster, count, "", own.time())));
      Map<Integer, Double> byPayload = new TreeMap<>();
      PAYLOADS.forEach(
          bytes -> byPayload.put(bytes, throughput(cluster, 1, "x".repeat(bytes), own.time())));
      return result(latencies, byClients, byPayload, own.time().toMillis() / 1e3);
    }
  }

  private static OrderedReceipt write(OrderedSession session, String payload) {
    return StorageCluster.writeAtOnce(session, ThreadLocalRandom.current().nextLong(KEYS), payload);
  }

  /** Submits writes at a rate, and times them until they are stable, from when they were due. */
  private static Trace atRate(StorageCluster cluster, int rate, Duration time) {
    Trace trace = new Trace();
    try (OrderedSession session = cluster.session(UNDER_WAY)) {
      double end = time.toNanos() / 1e9;
      for (int i = 0; (double) i / rate < end; i++) {
        double due = (double) i / rate;
        trace.await(due);
        write(session, "").stable().thenRun(() -> trace.end(due));
      }
      session.drain(PATIENCE);
    }
    return trace;
  }

  /** Returns the writes a second of some sessions, of which several thousand are under way. */
  private static double throughput(
      StorageCluster cluster, int clients, String payload, Duration time) {
    LongAdder applied = new LongAdder();
    List<OrderedSession> sessions = new ArrayList<>();
    try {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        sessions.add(cluster.session(Math.max(1, UNDER_WAY / clients)));
      }
      long began = System.nanoTime();
      Function<OrderedSession, Runnable> loop =
          session ->
              () -> {
                while (System.nanoTime() - began < time.toNanos()) {
                  write(session, payload).applied().thenRun(applied::increment);
                }
              };
      sessions.forEach(session -> threads.add(Thread.startVirtualThread(loop.apply(session))));
      for (Thread thread : threads) {
        thread.join();
      }
      double rate = applied.sum() / ((System.nanoTime() - began) / 1e9);
      sessions.forEach(session -> session.drain(PATIENCE));
      return rate;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    } finally {
      sessions.forEach(OrderedSession::close);
    }
  }

  private static Result result(
      Map<Integer, Trace> latencies,
      Map<Integer, Double> byClients,
      Map<Integer, Double> byPayload,
      double seconds) {
    Map<Integer, Double> medians = new TreeMap<>();
    List<String> measured = new ArrayList<>();
    latencies.forEach(
        (rate, trace) -> {
          double median = trace.millis(0, Double.MAX_VALUE, 0.5);
          medians.put(rate, median);
          measured.add(
              "%,d/s: %s ms, 99 %% %s ms"
                  .formatted(
                      rate,
                      Figures.number(median),
                      Figures.number(trace.millis(0, Double.MAX_VALUE, 0.99))));
        });
    double first = byClients.get(1);
    double least = byClients.values().stream().mapToDouble(rate -> rate).min().orElse(0);
    List<Finding> findings =
        List.of(
            new Finding(
                "A write is stable within 2 ms at 10,000 a second",
                String.join("; ", measured),
                medians.getOrDefault(10_000, Double.MAX_VALUE) <= AIM_MILLIS),
            new Finding(
                "Throughput stays the same with up to 1,024 clients",
                rates(byClients, "clients"),
                least >= SAME * first),
            new Finding(
                "Throughput stays the same with writes of up to 1 KB",
                rates(byPayload, "bytes"),
                byPayload.get(1_024) >= SAME * byPayload.get(16)));
    Map<String, String> plots = new LinkedHashMap<>();
    plots.put(
        "ordered-latency.svg",
        chart("Latency until stable, by the rate", "writes a second", "milliseconds", medians));
    plots.put(
        "ordered-clients.svg",
        chart("Throughput by the number of sessions", "sessions", "writes a second", byClients));
    plots.put(
        "ordered-payload.svg",
        chart("Throughput by the size of a write", "bytes", "writes a second", byPayload));
    return new Result(
        "Three servers, two copies, an engine whose writes take no time; each point %s s"
            .formatted(Figures.number(seconds)),
        findings,
        plots);
  }

  private static String rates(Map<Integer, Double> rates, String unit) {
    return String.join(
        ", ",
        rates.entrySet().stream()
            .map(one -> Figures.number(one.getValue()) + " with " + one.getKey() + " " + unit)
            .toList());
  }

  private static String chart(String title, String x, String y, Map<Integer, Double> values) {
    return new Chart(
            title, Axis.logarithmic(x), Axis.linear(y), List.of(Scaling.line("Uniserve", values)))
        .svg();
  }
}
