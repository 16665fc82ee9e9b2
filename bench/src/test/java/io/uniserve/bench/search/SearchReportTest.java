package io.uniserve.bench.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.bench.measure.CpuUse;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.Memory;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.measure.Window;
import io.uniserve.bench.systems.SystemNames;
import io.uniserve.bench.tasks.Workload;
import io.uniserve.bench.tasks.Workload.Answers;
import io.uniserve.bench.tasks.Workload.Scores;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SearchReportTest {

  private static final long SECOND = 1_000_000_000L;
  private static final Workload PHRASE =
      new Workload("phrase-count", Answers.COUNT, List.of("\"is also\""), Scores.COMPARABLE);

  @Test
  void ratiosAreThoseOfTheSameRound() {
    SearchRow row = row();

    assertThat(row.throughputRatio(SystemNames.UNISERVE, SystemNames.SOLR_CLOUD))
        .contains(new Spread(2, 2, 2, 1));
    assertThat(row.cpuRatio(SystemNames.UNISERVE, SystemNames.SOLR_CLOUD))
        .contains(new Spread(0.5, 0.5, 0.5, 1));
    assertThat(row.throughputRatio(SystemNames.UNISERVE, SystemNames.BARE)).isEmpty();
  }

  @Test
  void theReportShowsEverySystemAlsoOneWithoutAQuietWindow() {
    String report = SearchReport.whole(results());

    assertThat(report)
        .contains("- Machine: a test")
        .contains("| Uniserve    | 250 ms")
        .contains("0 (3 noisy)")
        .contains("2.00 (2.00-2.00)")
        .contains("Respell is left out: no documents.")
        .contains("0 of 1");
  }

  @Test
  void theSectionForTheDocumentationListsOnlyAnswersThatDiffer() {
    String section = SearchReport.section(results(), "plot.svg");

    assertThat(section)
        .contains("![Throughput of Uniserve relative to SolrCloud](plot.svg)")
        .contains("2 answers were compared")
        .contains("count 3, not 4");
    assertThat(SearchReport.plot(List.of(row())).svg()).contains("phrase-count", "2.00");
  }

  private static SearchResults results() {
    return new SearchResults(
        Map.of("Machine", "a test"),
        Map.of("Respell", "no documents"),
        List.of(
            new AnswerComparison(SystemNames.UNISERVE, PHRASE, 1, List.of()),
            new AnswerComparison(
                SystemNames.SOLR_CLOUD, PHRASE, 1, List.of("\"is also\": count 3, not 4"))),
        List.of(row()),
        Map.of(SystemNames.UNISERVE, new Memory(2 << 20, 1 << 20)));
  }

  private static SearchRow row() {
    Map<String, Series> series = new LinkedHashMap<>();
    series.put(SystemNames.UNISERVE, new Series(List.of(window(0, 4), window(1, 99)), 0));
    series.put(SystemNames.SOLR_CLOUD, new Series(List.of(window(0, 2)), 1));
    series.put(SystemNames.BARE, new Series(List.of(), 3));
    return new SearchRow("phrase-count", 1, series);
  }

  private static Window window(int round, int queries) {
    long[] nanos = new long[queries];
    Arrays.fill(nanos, SECOND / 4);
    return new Window(round, Latencies.of(nanos), new CpuUse(SECOND, SECOND, 0));
  }
}
