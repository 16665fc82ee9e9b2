package io.uniserve.simulation.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ChartTest {
  private static final Pattern LEGEND = Pattern.compile("<rect x=\"(\\d+)\" y=\"36\"");

  @Test
  void namesOfALegendStandAtEvenDistancesUnlessOneIsLong() {
    assertThat(starts("NLB", "Getafix", "PODP")).containsExactly(64, 203, 342);

    List<Integer> starts = starts("Getafix+", "1", "5", "as many as servers / query size", "all");

    assertThat(starts.get(4) - starts.get(3)).isGreaterThan(31 * 6);
    assertThat(starts.get(2) - starts.get(1)).isLessThan(50);
    assertThat(starts.getLast()).isLessThan(600);
  }

  private static List<Integer> starts(String... names) {
    List<Series> series =
        List.of(names).stream()
            .map(name -> new Series(name, Series.Form.LINE, List.of(Series.Point.of(1, 2))))
            .toList();
    String svg = new Chart("title", Axis.linear("x"), Axis.linear("y"), series).svg();
    return LEGEND.matcher(svg).results().map(match -> Integer.valueOf(match.group(1))).toList();
  }
}
