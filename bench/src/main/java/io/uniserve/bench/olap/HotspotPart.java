package io.uniserve.bench.olap;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.CpuMeter;
import io.uniserve.bench.measure.CpuUse;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.LineChart;
import io.uniserve.bench.report.Table;
import io.uniserve.bench.systems.NodeProcesses;
import io.uniserve.testkit.tools.Hosts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.Period;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Figure 9: sums over slices of four months, most of them over one slice. Four servers with one
 * thread each; Druid balances bytes, Uniserve balances load.
 */
final class HotspotPart {
  private static final int SERVERS = 4;
  private static final int MONTHS = 4;
  private static final int QUERIES = 400;
  private static final int HOT = 10;
  private static final LocalDate FIRST = LocalDate.of(1992, 1, 1);
  private static final LocalDate LAST = LocalDate.of(1998, 12, 31);

  private final Lineitems rows;
  private final Extent extent;
  private final int clients;
  private final Map<String, Map<Double, Measured>> measured = new LinkedHashMap<>();

  /** The windows of one skew. */
  private record Measured(List<Double> perSecond, List<Double> foreignCores) {}

  HotspotPart(Lineitems rows, Extent extent, int clients) {
    this.rows = rows;
    this.extent = extent;
    this.clients = clients;
  }

  private static List<LocalDate> begins() {
    return FIRST.datesUntil(LAST, Period.ofMonths(MONTHS)).toList();
  }

  /** Runs the load on each system, one after another. */
  void run(Path directory, PrintStream progress) {
    try {
      progress.println("hotspots of " + OlapSides.UNISERVE);
      uniserve(Files.createDirectories(directory.resolve("hotspots-uniserve")), progress);
      progress.println("hotspots of " + OlapSides.DRUID);
      druid(Files.createDirectories(directory.resolve("hotspots-druid")), progress);
    } catch (IOException e) {
      throw new BenchException("A system does not start: " + e.getMessage(), e);
    }
  }

  private void uniserve(Path directory, PrintStream progress) throws IOException {
    NodeProcesses.Starting starting =
        new NodeProcesses.Starting(
            "1g",
            OlapTable.reading(rows.file().getParent()),
            List.of("placement.policy = greedy", "placement.interval-seconds = 5"),
            List.of("server.workers = 1"));
    try (NodeProcesses processes =
        NodeProcesses.start(directory, Hosts.LOOPBACK, 1, SERVERS, starting)) {
      OlapTable.create(
          processes.remote(), 0, 1, begins().stream().skip(1).map(LocalDate::toString).toList());
      DruidApi api = new DruidApi(processes.address(), processes.address());
      api.ingest(rows.task("month"), rows.rows());
      for (double skew : extent.skews()) {
        // The policy sees a sliding window of 20 s, and decides every 5 s.
        api.run(texts(skew), clients, extent.adapting());
        measure(OlapSides.UNISERVE, api, processes.processIds(), skew, progress);
      }
    }
  }

  private void druid(Path directory, PrintStream progress) {
    try (DruidCluster druid = DruidCluster.start(directory, SERVERS, 1, 1)) {
      DruidApi api = druid.api();
      api.ingest(rows.task("month"), rows.rows());
      for (double skew : extent.skews()) {
        api.run(texts(skew), clients, extent.hotspots().window().multipliedBy(2));
        measure(OlapSides.DRUID, api, druid.processIds(), skew, progress);
      }
    }
  }

  /** Returns queries of which a share is over one slice, and the others are over any other. */
  private List<String> texts(double skew) {
    List<LocalDate> begins = begins();
    Random random = new Random(1);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < QUERIES; i++) {
      int slice = random.nextDouble() < skew ? HOT : random.nextInt(begins.size());
      LocalDate begin = begins.get(slice);
      texts.add(OlapQuery.SUM_ALL.json(begin + "/" + begin.plusMonths(MONTHS)));
    }
    return texts;
  }

  private void measure(
      String name, DruidApi api, List<Long> processes, double skew, PrintStream progress) {
    List<Double> perSecond = new ArrayList<>();
    List<Double> foreign = new ArrayList<>();
    for (int i = 0; i < extent.hotspots().rounds(); i++) {
      CpuMeter meter = CpuMeter.start(processes);
      Latencies latencies = api.run(texts(skew), clients, extent.hotspots().window());
      CpuUse use = meter.stop();
      perSecond.add(latencies.count() * 1e9 / use.elapsedNanos());
      foreign.add(use.foreignCores());
    }
    measured
        .computeIfAbsent(name, fresh -> new LinkedHashMap<>())
        .put(skew, new Measured(perSecond, foreign));
    progress.println(
        "%s, %s of queries to one slice: %s/s"
            .formatted(name, Figures.number(skew), Figures.spread(Statistics.spread(perSecond))));
  }

  private double median(String name, double skew) {
    return Statistics.spread(measured.get(name).get(skew).perSecond()).median();
  }

  /** Returns the table of the report. */
  String report(String plot) {
    Table table =
        new Table(
            "share of the hot slice",
            "Uniserve, queries/s",
            "Druid, queries/s",
            "Uniserve : Druid",
            "foreign cores");
    for (double skew : extent.skews()) {
      List<Double> foreign =
          new ArrayList<>(measured.get(OlapSides.UNISERVE).get(skew).foreignCores());
      foreign.addAll(measured.get(OlapSides.DRUID).get(skew).foreignCores());
      table.add(
          Figures.number(skew),
          Figures.spread(Statistics.spread(measured.get(OlapSides.UNISERVE).get(skew).perSecond())),
          Figures.spread(Statistics.spread(measured.get(OlapSides.DRUID).get(skew).perSecond())),
          Figures.number(median(OlapSides.UNISERVE, skew) / median(OlapSides.DRUID, skew)),
          Figures.spread(Statistics.spread(foreign)));
    }
    return "![Throughput by the share of queries to one slice](" + plot + ")\n\n" + table;
  }

  /** Returns the plot: throughput by skew. */
  LineChart plot() {
    List<LineChart.Series> series = new ArrayList<>();
    measured.forEach(
        (name, bySkew) ->
            series.add(
                new LineChart.Series(
                    name,
                    bySkew.keySet().stream()
                        .map(skew -> new LineChart.Point(skew, median(name, skew)))
                        .toList())));
    return new LineChart("Queries/s", "share of queries to one slice", series);
  }
}
