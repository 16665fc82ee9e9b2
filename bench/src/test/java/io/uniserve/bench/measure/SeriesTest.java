package io.uniserve.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {

  private static final long SECOND = 1_000_000_000L;

  @Test
  void ratiosPairWindowsOfTheSameRound() {
    Series one = new Series(List.of(window(0, 10), window(1, 30), window(2, 50)), 0);
    Series other = new Series(List.of(window(1, 15), window(2, 50), window(3, 1)), 1);

    assertThat(one.ratios(other, Window::queriesPerSecond)).containsExactly(2.0, 1.0);
    assertThat(one.ratios(new Series(List.of(), 4), Window::queriesPerSecond)).isEmpty();
  }

  @Test
  void windowsOfALaterLifeArePairedWithThoseOfThatLife() {
    Series one = new Series(List.of(window(1, 30)), 2).and(new Series(List.of(window(1, 8)), 1), 5);
    Series other =
        new Series(List.of(window(1, 10)), 0).and(new Series(List.of(window(1, 2)), 0), 5);

    assertThat(one.ratios(other, Window::queriesPerSecond)).containsExactly(3.0, 4.0);
    assertThat(one.rejected()).isEqualTo(3);
  }

  @Test
  void latenciesOfAllWindowsCountTogether() {
    Series series = new Series(List.of(latencies(1, 9), latencies(5)), 0);

    assertThat(series.latencyNanos(0.5)).isEqualTo(5);
    assertThat(series.latencyNanos(1)).isEqualTo(9);
  }

  @Test
  void cpuIsSharedOutOverTheQueriesOfItsWindow() {
    Window window = new Window(0, Latencies.of(1, 2, 3, 4), new CpuUse(2 * SECOND, SECOND, 0));

    assertThat(window.serverCpuNanosPerQuery()).isEqualTo(SECOND / 4.0);
    assertThat(window.queriesPerSecond()).isEqualTo(2);
  }

  @Test
  void latenciesGrowWithoutLoss() {
    Latencies latencies = new Latencies();
    for (int i = 5_000; i > 0; i--) {
      latencies.add(i);
    }

    assertThat(Latencies.sorted(List.of(latencies, Latencies.of(0, 9_999))))
        .hasSize(5_002)
        .isSorted()
        .startsWith(0, 1)
        .endsWith(5_000, 9_999);
  }

  private static Window window(int round, int queries) {
    return new Window(round, Latencies.of(new long[queries]), new CpuUse(SECOND, SECOND, 0));
  }

  private static Window latencies(long... nanos) {
    return new Window(0, Latencies.of(nanos), new CpuUse(SECOND, SECOND, 0));
  }
}
