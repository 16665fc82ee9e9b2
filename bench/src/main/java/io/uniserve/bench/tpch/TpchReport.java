package io.uniserve.bench.tpch;

import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.report.BarChart;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The report: text for the terminal and the documentation, a plot, and JSON. */
final class TpchReport {
  private static final String NONE = "-";
  private static final double NANOS_PER_SECOND = 1e9;

  private TpchReport() {}

  /**
   * @param plot the path of the plot, as the documentation links to it
   */
  static String section(TpchResults results, String plot) {
    return String.join(
        "\n\n",
        results.conditions().entrySet().stream()
            .map(entry -> "- " + entry.getKey() + ": " + entry.getValue())
            .collect(Collectors.joining("\n")),
        "![Time of each query relative to one DuckDB](" + plot + ")",
        "Medians of the time of a query; ratios of these within a round, with the least and the greatest:",
        times(results).toString(),
        "CPU time of one query:",
        cpu(results).toString(),
        "The processes at the end:",
        states(results).toString(),
        answers(results));
  }

  /**
   * Returns the ratios that are shown: the time of the first system divided by the time of the
   * second.
   */
  private static List<List<String>> pairs(TpchResults results) {
    List<List<String>> pairs = new ArrayList<>();
    String uniserve = SqlSystem.UNISERVE.title();
    if (results.systems().contains(uniserve)) {
      if (results.systems().contains(SqlSystem.DUCKDB.title())) {
        pairs.add(List.of(uniserve, SqlSystem.DUCKDB.title()));
      }
      for (SqlSystem slower : List.of(SqlSystem.MONETDB, SqlSystem.SPARK)) {
        if (results.systems().contains(slower.title())) {
          pairs.add(List.of(slower.title(), uniserve));
        }
      }
    }
    return pairs;
  }

  static Table times(TpchResults results) {
    List<List<String>> pairs = pairs(results);
    List<String> heads = new ArrayList<>(List.of("query"));
    heads.addAll(results.systems());
    pairs.forEach(pair -> heads.add(String.join(" : ", pair)));
    Table table = new Table(heads.toArray(String[]::new));
    for (TpchRow row : results.rows()) {
      List<String> cells = new ArrayList<>(List.of("Q" + row.query()));
      results.systems().forEach(system -> cells.add(millis(row.nanos(system))));
      pairs.forEach(pair -> cells.add(spread(row.timeRatio(pair.getFirst(), pair.getLast()))));
      table.add(cells.toArray(String[]::new));
    }
    List<String> means = new ArrayList<>(List.of("geometric mean"));
    results.systems().forEach(system -> means.add(millis(mean(results, row -> row.nanos(system)))));
    for (List<String> pair : pairs) {
      OptionalDouble mean = results.meanRatio(pair.getFirst(), pair.getLast());
      means.add(mean.isPresent() ? Figures.number(mean.getAsDouble()) : NONE);
    }
    table.add(means.toArray(String[]::new));
    return table;
  }

  private static Table cpu(TpchResults results) {
    List<String> heads = new ArrayList<>(List.of("query"));
    heads.addAll(results.systems());
    Table table = new Table(heads.toArray(String[]::new));
    for (TpchRow row : results.rows()) {
      List<String> cells = new ArrayList<>(List.of("Q" + row.query()));
      results.systems().forEach(system -> cells.add(millis(row.cpuNanos(system))));
      table.add(cells.toArray(String[]::new));
    }
    List<String> means = new ArrayList<>(List.of("geometric mean"));
    results
        .systems()
        .forEach(system -> means.add(millis(mean(results, row -> row.cpuNanos(system)))));
    table.add(means.toArray(String[]::new));
    return table;
  }

  private static Table states(TpchResults results) {
    Table table = new Table("system", "rows loaded", "rows/s", "resident", "at most");
    results
        .states()
        .forEach(
            (system, state) ->
                table.add(
                    system,
                    "%,d".formatted(state.rows()),
                    Figures.number(state.rows() * NANOS_PER_SECOND / state.loadNanos()),
                    Figures.megabytes(state.residentBytes()),
                    Figures.megabytes(state.peakBytes())));
    return table;
  }

  private static String answers(TpchResults results) {
    return results.differences().isEmpty()
        ? "Every system gave the right answer to every query."
        : "Not answered rightly, and not measured:\n\n"
            + results.differences().stream()
                .map(line -> "- " + line)
                .collect(Collectors.joining("\n"));
  }

  private static Optional<Double> mean(
      TpchResults results, Function<TpchRow, Optional<Double>> value) {
    OptionalDouble mean = results.geometricMean(value);
    return mean.isPresent() ? Optional.of(mean.getAsDouble()) : Optional.empty();
  }

  private static String millis(Optional<Double> nanos) {
    return nanos.map(Figures::millis).orElse(NONE);
  }

  private static String spread(Optional<Spread> spread) {
    return spread.map(Figures::spread).orElse(NONE);
  }

  /** Returns the plot of the time of each query relative to one DuckDB. */
  static BarChart plot(TpchResults results) {
    List<BarChart.Series> series = new ArrayList<>();
    for (SqlSystem system : List.of(SqlSystem.UNISERVE, SqlSystem.MONETDB)) {
      if (results.systems().contains(system.title())) {
        series.add(
            new BarChart.Series(
                system.title(),
                results.rows().stream().map(row -> relative(row, system)).toList()));
      }
    }
    return new BarChart(
        "Time relative to one DuckDB with all the data",
        results.rows().stream().map(row -> "Q" + row.query()).toList(),
        series);
  }

  private static double relative(TpchRow row, SqlSystem system) {
    return row.timeRatio(system.title(), SqlSystem.DUCKDB.title()).map(Spread::median).orElse(0.0);
  }

  static Map<String, Object> json(TpchResults results) {
    Map<String, Object> rows = new LinkedHashMap<>();
    results.rows().forEach(row -> rows.put("Q" + row.query(), JsonFile.of(row.series())));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("conditions", results.conditions());
    fields.put("queries", rows);
    fields.put("differences", results.differences());
    fields.put("states", results.states());
    return fields;
  }
}
