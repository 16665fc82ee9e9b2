package io.uniserve.bench.search;

import io.uniserve.bench.report.BarChart;
import io.uniserve.bench.systems.SystemNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The report of the search benchmark: whole for the terminal, shortened for the documentation, and
 * as a plot.
 */
final class SearchReport {

  private SearchReport() {}

  static String whole(SearchResults results) {
    return String.join(
        "\n\n",
        list(results.conditions(), "- %s: %s"),
        "Answers against bare Lucene over the same documents, searched as one index:",
        SearchTables.answers(results.comparisons()).toString(),
        "Every system, medians over quiet windows (least-greatest):",
        SearchTables.series(results.rows()).toString(),
        "Ratios within a round, median (least-greatest):",
        SearchTables.ratios(results.rows()).toString(),
        "When nobody asks, after the run:",
        SearchTables.footprints(results.footprints()).toString(),
        list(results.leftOut(), "- %s is left out: %s."));
  }

  /**
   * @param plot the path of the plot, as the documentation links to it
   */
  static String section(SearchResults results, String plot) {
    return String.join(
        "\n\n",
        list(results.conditions(), "- %s: %s"),
        "![Throughput of Uniserve relative to SolrCloud](" + plot + ")",
        SearchTables.summary(results.rows()).toString(),
        "When nobody asks, after the run:",
        SearchTables.footprints(results.footprints()).toString(),
        answers(results.comparisons()),
        list(results.leftOut(), "- %s is left out: %s."));
  }

  private static String answers(List<AnswerComparison> comparisons) {
    List<AnswerComparison> different =
        comparisons.stream().filter(comparison -> !comparison.equal()).toList();
    int queries = comparisons.stream().mapToInt(AnswerComparison::queries).sum();
    String summary = "%d answers were compared with those of one index that holds every document.";
    return different.isEmpty()
        ? summary.formatted(queries) + " All were equal."
        : summary.formatted(queries)
            + " These were not equal:\n\n"
            + SearchTables.answers(different);
  }

  private static String list(Map<String, String> entries, String form) {
    return entries.entrySet().stream()
        .map(entry -> form.formatted(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining("\n"));
  }

  /**
   * Returns the plot of Uniserve's throughput relative to SolrCloud's, with one bar for each number
   * of clients.
   */
  static BarChart plot(List<SearchRow> rows) {
    List<String> workloads = rows.stream().map(SearchRow::workload).distinct().toList();
    List<Integer> clients = rows.stream().map(SearchRow::clients).distinct().toList();
    List<BarChart.Series> series = new ArrayList<>();
    for (int count : clients) {
      List<Double> values =
          workloads.stream().map(workload -> ratio(rows, workload, count)).toList();
      series.add(new BarChart.Series(count == 1 ? "1 client" : count + " clients", values));
    }
    return new BarChart("Queries per second, Uniserve : SolrCloud", workloads, series);
  }

  private static double ratio(List<SearchRow> rows, String workload, int clients) {
    return rows.stream()
        .filter(row -> row.workload().equals(workload) && row.clients() == clients)
        .map(row -> row.throughputRatio(SystemNames.UNISERVE, SystemNames.SOLR_CLOUD))
        .flatMap(Optional::stream)
        .mapToDouble(spread -> spread.median())
        .findFirst()
        .orElse(0);
  }
}
