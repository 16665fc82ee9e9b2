package io.uniserve.bench.olap;

import io.uniserve.bench.measure.CpuMeter;
import io.uniserve.bench.measure.CpuUse;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.LineChart;
import io.uniserve.bench.report.Table;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figure 8: updates of 1, 10 and 100 MB, from the request until queries see all rows. */
final class UpdatesPart {
  private final OlapSides sides;
  private final List<Integer> megabytes;
  private final int repetitions;
  private final Map<String, Map<Integer, List<Update>>> updates = new LinkedHashMap<>();

  /** One update. */
  private record Update(long rows, long nanos, long cpuNanos, double foreignCores) {}

  UpdatesPart(OlapSides sides, List<Integer> megabytes, int repetitions) {
    this.sides = sides;
    this.megabytes = megabytes;
    this.repetitions = repetitions;
  }

  /** Sends each update to both systems in turn. */
  void run(Path parent, PrintStream progress) {
    Map<String, Long> total = new LinkedHashMap<>();
    sides.apis().keySet().forEach(name -> total.put(name, sides.rows().rows()));
    for (int size : megabytes) {
      Lineitems some = Lineitems.some(size, parent, progress);
      for (int i = 0; i < repetitions; i++) {
        sides
            .apis()
            .forEach(
                (name, api) -> {
                  long rows = total.merge(name, some.rows(), Long::sum);
                  CpuMeter meter = CpuMeter.start(sides.processIds(name));
                  long nanos = api.ingest(some.task("year"), rows);
                  CpuUse use = meter.stop();
                  updates
                      .computeIfAbsent(name, fresh -> new LinkedHashMap<>())
                      .computeIfAbsent(size, fresh -> new ArrayList<>())
                      .add(
                          new Update(some.rows(), nanos, use.serverCpuNanos(), use.foreignCores()));
                  progress.println("%s: %d MB in %s".formatted(name, size, Figures.millis(nanos)));
                });
      }
    }
  }

  private static double median(List<Update> some) {
    return Statistics.spread(some.stream().map(one -> (double) one.nanos()).toList()).median();
  }

  /** Returns the table of the report. */
  String report(String plot) {
    Table table = new Table("update", "system", "ms until seen", "rows/s", "CPU", "foreign cores");
    for (int size : megabytes) {
      updates.forEach(
          (name, bySize) -> {
            List<Update> some = bySize.get(size);
            table.add(
                size + " MB, %,d rows".formatted(some.getFirst().rows()),
                name,
                Figures.spread(
                    Statistics.spread(some.stream().map(one -> one.nanos() / 1e6).toList())),
                Figures.number(some.getFirst().rows() * 1e9 / median(some)),
                Figures.millis(
                    Statistics.spread(some.stream().map(one -> (double) one.cpuNanos()).toList())
                        .median()),
                Figures.spread(
                    Statistics.spread(some.stream().map(Update::foreignCores).toList())));
          });
    }
    return "![Rows a second of an update](" + plot + ")\n\n" + table;
  }

  /** Returns the plot: megabytes a second by the size of the update. */
  LineChart plot() {
    List<LineChart.Series> series = new ArrayList<>();
    updates.forEach(
        (name, bySize) ->
            series.add(
                new LineChart.Series(
                    name,
                    bySize.entrySet().stream()
                        .map(
                            entry ->
                                new LineChart.Point(
                                    Math.log10(entry.getKey()),
                                    entry.getKey() * 1e9 / median(entry.getValue())))
                        .toList())));
    return new LineChart("MB/s of an update until queries see it", "10^x MB of an update", series);
  }
}
