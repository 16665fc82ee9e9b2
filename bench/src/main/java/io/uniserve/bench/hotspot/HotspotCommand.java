package io.uniserve.bench.hotspot;

import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench hotspot}. */
@Command(
    name = "hotspot",
    mixinStandardHelpOptions = true,
    description = "Throughput while most queries go to one slice of the data, balanced and not.")
public final class HotspotCommand implements Callable<Integer> {
  private static final double HOTSPOT = 7.0 / 8;
  private static final List<Double> SKEWS = List.of(0.0, 0.25, 0.5, 0.75, HOTSPOT, 1.0);

  @Mixin private RunOptions run = new RunOptions();

  @Option(names = "--clients", description = "Default: ${DEFAULT-VALUE}.")
  private int clients = 48;

  @Option(
      names = "--service-micros",
      description = "How long a query takes a worker. Default: ${DEFAULT-VALUE}.")
  private long serviceMicros = 4_000;

  @Option(names = "--seconds", description = "Length of a window. Default: ${DEFAULT-VALUE}.")
  private int seconds = 5;

  @Option(names = "--repetitions", description = "Windows of each. Default: ${DEFAULT-VALUE}.")
  private int repetitions = 5;

  /**
   * The throughput at one skew.
   *
   * @param bytes the queries per second of each window if only bytes are balanced
   * @param load the queries per second of each window if load is balanced
   * @param copies the number of copies of the hot slice at the end
   */
  private record Point(double skew, List<Double> bytes, List<Double> load, int copies) {
    double ofBytes() {
      return median(bytes);
    }

    double ofLoad() {
      return median(load);
    }

    private static double median(List<Double> values) {
      List<Double> sorted = values.stream().sorted().toList();
      return sorted.get(sorted.size() / 2);
    }

    private static String text(List<Double> values) {
      List<Double> sorted = values.stream().sorted().toList();
      return String.format(
          Locale.ROOT, "%,.0f (%,.0f-%,.0f)", median(sorted), sorted.getFirst(), sorted.getLast());
    }
  }

  @Override
  public Integer call() {
    List<Point> points = new ArrayList<>();
    for (double skew : run.quick() ? List.of(0.0, HOTSPOT) : SKEWS) {
      points.add(measure(skew));
    }
    String report = report(points);
    run.publish("hotspot", report);
    return 0;
  }

  private Point measure(double skew) {
    System.err.printf(Locale.ROOT, "skew %.3f ...%n", skew);
    List<Double> bytes;
    Path directory = run.newDirectory("hotspot");
    try (HotspotCluster cluster =
        HotspotCluster.start(directory.resolve("bytes"), false, service())) {
      bytes = windows(cluster, skew, false);
    }
    try (HotspotCluster cluster =
        HotspotCluster.start(directory.resolve("load"), true, service())) {
      List<Double> load = windows(cluster, skew, true);
      return new Point(skew, bytes, load, cluster.copies(HotspotLoad.HOT_SLICE));
    }
  }

  private Duration service() {
    return Duration.ofNanos(serviceMicros * 1_000);
  }

  private List<Double> windows(HotspotCluster cluster, double skew, boolean balanced) {
    Duration window = run.quick() ? Duration.ofMillis(500) : Duration.ofSeconds(seconds);
    List<Double> throughputs = new ArrayList<>();
    try (HotspotLoad load = new HotspotLoad(cluster, skew, clients)) {
      if (balanced) {
        cluster.awaitRest();
      } else {
        load.throughput(window);
      }
      for (int i = 0; i < (run.quick() ? 1 : repetitions); i++) {
        throughputs.add(load.throughput(window));
      }
    }
    return throughputs;
  }

  private String report(List<Point> points) {
    double uniform = points.getFirst().ofLoad();
    Table table =
        new Table(
            "share of the hot slice",
            "bytes balanced, queries/s",
            "load balanced, queries/s",
            "of the uniform",
            "times bytes",
            "copies of the hot slice");
    for (Point point : points) {
      table.add(
          String.format(Locale.ROOT, "%.3f", point.skew()),
          Point.text(point.bytes()),
          Point.text(point.load()),
          String.format(Locale.ROOT, "%.2f", point.ofLoad() / uniform),
          String.format(Locale.ROOT, "%.2f", point.ofLoad() / point.ofBytes()),
          String.valueOf(point.copies()));
    }
    double least = points.stream().mapToDouble(Point::ofLoad).min().orElseThrow();
    double most = points.stream().mapToDouble(Point::ofLoad).max().orElseThrow();
    return String.format(
        Locale.ROOT,
        """
        - Machine: %s
        - Java: %s; one process, %d servers with one worker thread each, %d slices with one copy, %d clients that query one \
        after another, %.1f ms for a query; %d windows of %s

        %s

        From the least to the greatest skew, throughput with balanced load differs by %.0f %% of the greatest. No query failed.
        """,
        Machine.describe(),
        Machine.java(),
        HotspotCluster.SERVERS,
        HotspotCluster.SLICES,
        clients,
        serviceMicros / 1e3,
        run.quick() ? 1 : repetitions,
        run.quick() ? "0.5 s" : seconds + " s",
        table,
        100 * (most - least) / most);
  }
}
