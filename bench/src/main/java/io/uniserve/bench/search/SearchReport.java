package io.uniserve.bench.search;

import io.uniserve.bench.measure.Memory;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.Table;
import io.uniserve.bench.systems.SystemNames;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.stream.Collectors;

/** The tables of the search benchmark, in Markdown. */
final class SearchReport {

  private static final String NONE = "-";

  private SearchReport() {}

  static String of(SearchResults results) {
    return String.join(
        "\n\n",
        conditions(results.conditions()),
        "Answers against bare Lucene over the same documents, as one index:",
        answers(results.comparisons()),
        "Every system, medians over quiet windows (least-greatest):",
        series(results.rows()),
        "Ratios within a round, median (least-greatest):",
        ratios(results.rows()),
        "Memory after the run:",
        memory(results.memory()),
        leftOut(results.leftOut()));
  }

  private static String conditions(Map<String, String> conditions) {
    return conditions.entrySet().stream()
        .map(entry -> "- %s: %s".formatted(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining("\n"));
  }

  private static String answers(List<AnswerComparison> comparisons) {
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
    return table.toString();
  }

  static String series(List<SearchRow> rows) {
    Table table =
        new Table(
            "workload", "clients", "system", "p50", "p99", "queries/s", "server CPU/query", "windows");
    for (SearchRow row : rows) {
      for (Entry<String, Series> entry : row.series().entrySet()) {
        addSeries(table, row, entry.getKey(), entry.getValue());
      }
    }
    return table.toString();
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

  static String ratios(List<SearchRow> rows) {
    Table table =
        new Table(
            "workload",
            "clients",
            "queries/s, Uniserve : SolrCloud",
            "CPU/query, Uniserve : bare",
            "CPU/query, SolrCloud : bare",
            "queries/s, bare : Uniserve");
    for (SearchRow row : rows) {
      table.add(
          row.workload(),
          Integer.toString(row.clients()),
          spread(row.throughputRatio(SystemNames.UNISERVE, SystemNames.SOLR_CLOUD)),
          spread(row.cpuRatio(SystemNames.UNISERVE, SystemNames.BARE)),
          spread(row.cpuRatio(SystemNames.SOLR_CLOUD, SystemNames.BARE)),
          spread(row.throughputRatio(SystemNames.BARE, SystemNames.UNISERVE)));
    }
    return table.toString();
  }

  private static String spread(Optional<Spread> spread) {
    return spread.map(Figures::spread).orElse(NONE);
  }

  private static String memory(Map<String, Memory> memory) {
    Table table = new Table("system", "resident", "live heap");
    memory.forEach(
        (system, use) ->
            table.add(
                system,
                Figures.megabytes(use.residentBytes()),
                Figures.megabytes(use.liveHeapBytes())));
    return table.toString();
  }

  private static String leftOut(Map<String, String> leftOut) {
    return leftOut.entrySet().stream()
        .map(entry -> "- %s is left out: %s.".formatted(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining("\n"));
  }
}
