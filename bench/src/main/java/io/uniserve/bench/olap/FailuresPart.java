package io.uniserve.bench.olap;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.olap.SteadyLoad.Fate;
import io.uniserve.bench.olap.SteadyLoad.Sent;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.LineChart;
import io.uniserve.bench.report.Table;
import io.uniserve.bench.systems.NodeProcesses;
import io.uniserve.testkit.tools.Hosts;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figure 11: {@code kill -9} of one of four servers with two copies, under a steady load. */
final class FailuresPart {
  private static final int SERVERS = 4;
  private static final int ACTORS = 8;
  private static final int COPIES = 2;
  private static final Duration BUCKET = Duration.ofSeconds(5);

  private final Lineitems rows;
  private final Duration time;
  private final Map<String, List<Sent>> sent = new LinkedHashMap<>();

  FailuresPart(Lineitems rows, Duration time) {
    this.rows = rows;
    this.time = time;
  }

  private Duration killAfter() {
    return time.dividedBy(3);
  }

  /** Runs the load on each system, one after another. */
  void run(Path directory, PrintStream progress) {
    try {
      progress.println("failures of " + OlapSides.UNISERVE);
      uniserve(Files.createDirectories(directory.resolve("failures-uniserve")));
      progress.println("failures of " + OlapSides.DRUID);
      druid(Files.createDirectories(directory.resolve("failures-druid")));
    } catch (IOException e) {
      throw new BenchException("A system does not start: " + e.getMessage(), e);
    }
  }

  private void uniserve(Path directory) throws IOException {
    NodeProcesses.Starting starting =
        new NodeProcesses.Starting(
            "1g", OlapTable.reading(rows.file().getParent()), List.of(), List.of());
    try (NodeProcesses processes =
        NodeProcesses.start(directory, Hosts.LOOPBACK, 1, SERVERS, starting)) {
      OlapTable.create(processes.remote(), ACTORS, COPIES, List.of());
      DruidApi api = new DruidApi(processes.address(), processes.address());
      api.ingest(rows.task("year"), rows.rows());
      processes.awaitWhole(COPIES);
      measure(OlapSides.UNISERVE, api, () -> processes.kill("s2"));
    }
  }

  private void druid(Path directory) {
    try (DruidCluster druid = DruidCluster.start(directory, SERVERS, 1, COPIES)) {
      DruidApi api = druid.api();
      api.ingest(rows.task("year"), rows.rows());
      awaitCopies(directory);
      measure(OlapSides.DRUID, api, () -> druid.killHistorical(2));
    }
  }

  /** Waits until every segment is on two historicals, as their directories tell. */
  private static void awaitCopies(Path directory) {
    long end = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    while (segments(directory.resolve("segments")) * COPIES > cached(directory)) {
      if (System.nanoTime() > end) {
        throw new BenchException("Druid does not copy its segments");
      }
      DruidApi.pause();
    }
  }

  private static long cached(Path directory) {
    long count = 0;
    for (int i = 1; i <= SERVERS; i++) {
      count += segments(directory.resolve("cache-" + i));
    }
    return count;
  }

  private static long segments(Path directory) {
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    try (var files = Files.walk(directory)) {
      return files
          .filter(
              file ->
                  file.endsWith("version.bin") || file.getFileName().toString().equals("index.zip"))
          .map(Path::getParent)
          .distinct()
          .count();
    } catch (IOException | UncheckedIOException e) {
      return 0; // files come and go while they are listed
    }
  }

  private void measure(String name, DruidApi api, Runnable kill) {
    List<List<String>> expected = api.answer(OlapQuery.SUM_ALL, OlapQuery.ALWAYS);
    SteadyLoad load = new SteadyLoad(api, expected);
    load.run(Duration.ofSeconds(10), Duration.ofHours(1), () -> {});
    sent.put(name, new SteadyLoad(api, expected).run(time, killAfter(), kill));
  }

  /** Returns whether no query of Uniserve failed or was wrong. */
  boolean clean() {
    return sent.get(OlapSides.UNISERVE).stream().allMatch(one -> one.fate() == Fate.RIGHT);
  }

  /** Returns the table of the report. */
  String report(String plot) {
    Table table =
        new Table(
            "system", "queries", "failed", "wrong", "seconds with failures", "p50", "slowest");
    sent.forEach(
        (name, all) -> {
          long[] nanos = all.stream().mapToLong(Sent::nanos).sorted().toArray();
          table.add(
              name,
              "%,d".formatted(all.size()),
              Long.toString(count(all, Fate.FAILED)),
              Long.toString(count(all, Fate.WRONG)),
              Long.toString(
                  all.stream()
                      .filter(one -> one.fate() != Fate.RIGHT)
                      .map(one -> one.atNanos() / Duration.ofSeconds(1).toNanos())
                      .distinct()
                      .count()),
              Figures.millis(nanos[nanos.length / 2]),
              Figures.millis(nanos[nanos.length - 1]));
        });
    return "![Right answers while a server is killed](" + plot + ")\n\n" + table;
  }

  private static long count(List<Sent> all, Fate fate) {
    return all.stream().filter(one -> one.fate() == fate).count();
  }

  /** Returns the plot: right answers a minute over time. */
  LineChart plot() {
    List<LineChart.Series> series = new ArrayList<>();
    sent.forEach(
        (name, all) -> {
          List<LineChart.Point> points = new ArrayList<>();
          for (long from = 0; from < time.toNanos(); from += BUCKET.toNanos()) {
            long begin = from;
            long right =
                all.stream()
                    .filter(one -> one.fate() == Fate.RIGHT)
                    .filter(
                        one -> one.atNanos() >= begin && one.atNanos() < begin + BUCKET.toNanos())
                    .count();
            points.add(new LineChart.Point(begin / 1e9, right * 60.0 / BUCKET.toSeconds()));
          }
          series.add(new LineChart.Series(name, points));
        });
    return new LineChart(
        "Right answers a minute, by the second in which they were asked for; a server is killed after "
            + killAfter().toSeconds()
            + " s",
        "seconds",
        series);
  }
}
