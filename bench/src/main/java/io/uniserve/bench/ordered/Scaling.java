package io.uniserve.bench.ordered;

import io.uniserve.simulation.plot.Series;
import java.util.Map;

/** Lines of charts: rates by the number of processes, or by something else. */
final class Scaling {
  private Scaling() {}

  static Series line(String name, Map<? extends Number, Double> rates) {
    return new Series(
        name,
        Series.Form.LINE,
        rates.entrySet().stream()
            .map(one -> Series.Point.of(one.getKey().doubleValue(), one.getValue()))
            .toList());
  }
}
