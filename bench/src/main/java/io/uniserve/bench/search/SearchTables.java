package io.uniserve.bench.search;

import io.uniserve.bench.measure.Footprint;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.Table;
import io.uniserve.bench.systems.SystemNames;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;

/** The tables of the search benchmark. */
final class SearchTables {

  static final String NONE = "-";

  private SearchTables() {}

  static Table answers(List<AnswerComparison> comparisons) {
    Table table = new Table("workload", "system", "equal answers", "first difference");
    for (AnswerComparison comparison : comparisons) {
      int equal = comparison.queries() - comparison.differences().size();
      String first = comparison.equal() ? NONE : comparison.differences().getFirst();
      table.add(
          comparison.workload().name(),
          comparison.system(),
          equal + " of " + comparison.queries(),
          first.replace("|", "\\|"));
    }
    return table;
  }

  static Table series(List<SearchRow> rows) {
    Table table =
        new Table(
            "workload", "clients", "system", "p50", "p99", "queries/s", "CPU/query", "windows");
    for (SearchRow row : rows) {
      for (Entry<String, Series> entry : row.series().entrySet()) {
        addSeries(table, row, entry.getKey(), entry.getValue());
      }
    }
    return table;
  }

  private static void addSeries(Table table, SearchRow row, String system, Series series) {
    String windows = "%d (%d noisy)".formatted(series.accepted().size(), series.rejected());
    String clients = Integer.toString(row.clients());
    if (series.isEmpty()) {
      table.add(row.workload(), clients, system, NONE, NONE, NONE, NONE, windows);
      return;
    }
    table.add(
        row.workload(),
        clients,
        system,
        Figures.millis(series.latencyNanos(0.5)),
        Figures.millis(series.latencyNanos(0.99)),
        Figures.spread(series.queriesPerSecond()),
        Figures.millis(series.serverCpuNanosPerQuery().median()),
        windows);
  }

  static Table ratios(List<SearchRow> rows) {
    Table table =
        new Table(
            "workload",
            "clients",
            "queries/s, Uniserve : SolrCloud",
            "CPU/query, Uniserve : bare",
            "CPU/query, SolrCloud : bare",
            "queries/s, Uniserve : bare");
    for (SearchRow row : rows) {
      table.add(
          row.workload(),
          Integer.toString(row.clients()),
          spread(row.throughputRatio(SystemNames.UNISERVE, SystemNames.SOLR_CLOUD)),
          spread(row.cpuRatio(SystemNames.UNISERVE, SystemNames.BARE)),
          spread(row.cpuRatio(SystemNames.SOLR_CLOUD, SystemNames.BARE)),
          spread(row.throughputRatio(SystemNames.UNISERVE, SystemNames.BARE)));
    }
    return table;
  }

  /**
   * Returns a table for the documentation, with one line for each workload and number of clients.
   */
  static Table summary(List<SearchRow> rows) {
    Table table =
        new Table(
            "workload",
            "clients",
            "Uniserve p50, p99, queries/s",
            "SolrCloud p50, p99, queries/s",
            "embedded p50, queries/s",
            "bare p50, queries/s",
            "queries/s, Uniserve : SolrCloud",
            "CPU/query, Uniserve : bare");
    for (SearchRow row : rows) {
      table.add(
          row.workload(),
          Integer.toString(row.clients()),
          figures(row.series().get(SystemNames.UNISERVE), true),
          figures(row.series().get(SystemNames.SOLR_CLOUD), true),
          figures(row.series().get(SystemNames.EMBEDDED), false),
          figures(row.series().get(SystemNames.BARE), false),
          spread(row.throughputRatio(SystemNames.UNISERVE, SystemNames.SOLR_CLOUD)),
          spread(row.cpuRatio(SystemNames.UNISERVE, SystemNames.BARE)));
    }
    return table;
  }

  private static String figures(Series series, boolean tail) {
    if (series == null || series.isEmpty()) {
      return NONE;
    }
    String p99 = tail ? Figures.millis(series.latencyNanos(0.99)) + ", " : "";
    String throughput = Figures.number(series.queriesPerSecond().median());
    return "%s, %s%s".formatted(Figures.millis(series.latencyNanos(0.5)), p99, throughput);
  }

  private static String spread(Optional<Spread> spread) {
    return spread.map(Figures::spread).orElse(NONE);
  }

  static Table footprints(Map<String, Footprint> footprints) {
    Table table = new Table("system", "resident", "live heap", "idle CPU");
    footprints.forEach(
        (system, footprint) ->
            table.add(
                system,
                Figures.megabytes(footprint.residentBytes()),
                Figures.megabytes(footprint.liveHeapBytes()),
                Figures.number(footprint.idleCores()) + " cores"));
    return table;
  }
}
