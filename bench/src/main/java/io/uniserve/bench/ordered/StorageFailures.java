package io.uniserve.bench.ordered;

import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.report.Figures;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Figures 14 and 15: snapshot reads while storage processes fail and come back, as many as can be
 * answered, and at ease beside writes. What takes minutes in the paper takes seconds here.
 */
final class StorageFailures implements Experiment {
  private static final int PROCESSES = 6;
  private static final int COPIES = 3;
  private static final int PARTS = 12;
  private static final int MEGABYTES = 24;
  private static final int READERS = 36;
  private static final int WRITES_PER_SECOND = 60;
  private static final int WINDOW = 2_000;
  private static final long KEYS = 100_000;
  private static final double READ_PAUSE_SECONDS = 0.05;
  private static final double ONE_FAILS = 10;
  private static final double ONE_COMES = 20;
  private static final double TWO_FAIL = 30;
  private static final double FIRST_COMES = 40;
  private static final double SECOND_COMES = 50;
  private static final double END = 65;
  private static final double SETTLED = 5;
  private static final double AS_HIGH = 0.85;
  private static final double AIM_MILLIS = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Override
  public String name() {
    return "14";
  }

  @Override
  public Result run(Conditions conditions) {
    Trace throughput = run(conditions.in("failures-throughput"), false);
    Trace latency = run(conditions.in("failures-latency"), true);
    return result(throughput, latency, conditions.pace());
  }

  private static Trace run(Conditions conditions, boolean atEase) {
    double pace = conditions.pace();
    try (StorageCluster cluster =
            StorageCluster.start(
                conditions.directory(), PROCESSES, new Partitioner.Hash(PARTS), COPIES, MEGABYTES);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      read(cluster); // the first read loads much of the program
      Trace trace = new Trace();
      double end = END * pace;
      for (int i = 0; i < (atEase ? 1 : READERS); i++) {
        threads.execute(
            () -> {
              while (trace.second() < end) {
                trace.time(() -> read(cluster));
                trace.await(atEase ? trace.second() + READ_PAUSE_SECONDS : 0);
              }
            });
      }
      if (atEase) {
        threads.execute(() -> write(cluster, trace, end));
      }
      at(trace, ONE_FAILS * pace, () -> cluster.stop("s6"));
      at(trace, ONE_COMES * pace, () -> cluster.start("s6"));
      at(
          trace,
          TWO_FAIL * pace,
          () -> {
            cluster.stop("s5");
            cluster.stop("s6");
          });
      at(trace, FIRST_COMES * pace, () -> cluster.start("s5"));
      at(trace, SECOND_COMES * pace, () -> cluster.start("s6"));
      trace.await(end);
      return trace;
    }
  }

  private static void at(Trace trace, double second, Runnable event) {
    trace.await(second);
    event.run();
  }

  private static void read(StorageCluster cluster) {
    cluster.read(
        Keys.of(PartitionKey.of(ThreadLocalRandom.current().nextLong(KEYS))),
        1,
        ReadLevel.SNAPSHOT);
  }

  private static void write(StorageCluster cluster, Trace trace, double end) {
    try (OrderedSession session = cluster.session(WINDOW)) {
      for (int i = 0; trace.second() < end; i++) {
        trace.await((double) i / WRITES_PER_SECOND);
        StorageCluster.write(
            session,
            1,
            List.of(new StorageEngine.Place(ThreadLocalRandom.current().nextLong(KEYS))));
      }
      session.drain(PATIENCE);
    }
  }

  private static Result result(Trace throughput, Trace latency, double pace) {
    double whole = throughput.rate(SETTLED * pace / 2, ONE_FAILS * pace);
    double oneGone = throughput.rate((ONE_FAILS + SETTLED) * pace, ONE_COMES * pace);
    double twoGone = throughput.rate((TWO_FAIL + SETTLED) * pace, FIRST_COMES * pace);
    double after = throughput.rate((SECOND_COMES + SETTLED) * pace, END * pace);
    double pause = throughput.longestPause(0, END * pace);
    List<Finding> findings =
        List.of(
            new Finding(
                "14: one of six processes fails: 40,000 reads a second become just under 30,000",
                "%s become %s".formatted(Figures.number(whole), Figures.number(oneGone)),
                oneGone >= AS_HIGH * whole * 3 / 4),
            new Finding(
                "14: two fail at once: about 25,000",
                Figures.number(twoGone),
                twoGone >= AS_HIGH * whole * 5 / 8),
            new Finding(
                "14: throughput is zero for a moment while two are replaced; the aim here: never, and no read fails",
                "the longest time without an answer: %s s; %d reads failed"
                    .formatted(Figures.number(pause), throughput.failures().size()),
                pause < 1 && throughput.failures().isEmpty()),
            new Finding(
                "14: in the end as before",
                "%s, before %s".formatted(Figures.number(after), Figures.number(whole)),
                after >= AS_HIGH * whole),
            new Finding(
                "15: the vast majority of reads takes less than 1 s, and failures cannot be seen",
                "99 %% take %s ms, the longest %s ms; %d failed"
                    .formatted(
                        Figures.number(latency.millis(0, END * pace, 0.99)),
                        Figures.number(latency.millis(0, END * pace, 1)),
                        latency.failures().size()),
                latency.millis(0, END * pace, 1) < AIM_MILLIS && latency.failures().isEmpty()));
    Map<String, String> plots = new LinkedHashMap<>();
    plots.put(
        "ordered-figure-14.svg",
        new Chart(
                "Figure 14: snapshot reads while processes fail (10, 30 s) and come (20, 40, 50 s)",
                Axis.linear("seconds"),
                Axis.linear("reads a second"),
                List.of(throughput.throughput("snapshot reads", END * pace)))
            .svg());
    plots.put(
        "ordered-figure-15.svg",
        new Chart(
                "Figure 15: duration of snapshot reads beside writes, while the same happens",
                Axis.linear("seconds"),
                Axis.logarithmic("milliseconds"),
                List.of(latency.durations("snapshot reads", END * pace)))
            .svg());
    return new Result(
        "Six processes, %d parts of %d MB with three copies; %d readers, or one beside %d writes a second. A lost copy is made again elsewhere by itself, without waiting for a replacement; all failures: %s"
            .formatted(
                PARTS,
                MEGABYTES,
                READERS,
                WRITES_PER_SECOND,
                throughput.failures().stream().findFirst().orElse("none")),
        findings,
        plots);
  }
}
