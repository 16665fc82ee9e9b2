package io.uniserve.bench.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.bench.measure.CpuUse;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.measure.Window;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TpchReportTest {
  private static final long MILLI = 1_000_000;

  @Test
  void ratiosAreOfMediansWithinARound() {
    TpchRow row =
        new TpchRow(
            1,
            Map.of(
                "Uniserve",
                new Series(List.of(window(0, 6, 4, 9), window(1, 10)), 0),
                "DuckDB",
                new Series(List.of(window(0, 3), window(1, 4), window(2, 1)), 0)));

    assertThat(row.timeRatio("Uniserve", "DuckDB")).contains(new Spread(2.25, 2, 2.5, 2));
    assertThat(row.timeRatio("Uniserve", "Spark")).isEmpty();
  }

  @Test
  void meansAreGeometricAndOfAllQueriesOrNone() {
    TpchResults results =
        results(
            List.of("Uniserve", "DuckDB", "Spark"),
            new TpchRow(1, Map.of("Uniserve", one(8), "DuckDB", one(2), "Spark", one(80))),
            new TpchRow(3, Map.of("Uniserve", one(2), "DuckDB", one(2))));

    assertThat(results.meanRatio("Uniserve", "DuckDB")).hasValueCloseTo(2.0, within(1e-9));
    assertThat(results.geometricMean(row -> row.nanos("Uniserve")))
        .hasValueCloseTo(4.0 * MILLI, within(1e-3));
    assertThat(results.meanRatio("Spark", "Uniserve")).isEmpty();
  }

  @Test
  void theTableSaysWhatIsMissing() {
    TpchResults results =
        results(
            List.of("Uniserve", "DuckDB"),
            new TpchRow(1, Map.of("Uniserve", one(8), "DuckDB", one(2))),
            new TpchRow(3, Map.of("DuckDB", one(2))));

    assertThat(TpchReport.times(results).toString())
        .contains("| Q1             | 8.00 ms  | 2.00 ms | 4.00 (4.00-4.00)  |")
        .contains("| Q3             | -        | 2.00 ms | -                 |")
        .contains("| geometric mean | -        | 2.00 ms | -                 |");
  }

  private static TpchResults results(List<String> systems, TpchRow... rows) {
    return new TpchResults(Map.of(), systems, List.of(rows), List.of(), Map.of());
  }

  private static Series one(long millis) {
    return new Series(List.of(window(0, millis)), 0);
  }

  private static Window window(int round, long... millis) {
    long[] nanos = java.util.Arrays.stream(millis).map(one -> one * MILLI).toArray();
    return new Window(round, Latencies.of(nanos), new CpuUse(1, 1, 0));
  }
}
