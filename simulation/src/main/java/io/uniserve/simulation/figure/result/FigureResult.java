package io.uniserve.simulation.figure.result;

import io.uniserve.simulation.plot.Chart;
import java.util.List;
import java.util.Map;

/**
 * A figure.
 *
 * @param charts the charts, by the suffix of their file: empty, or a letter
 * @param csv the numbers
 * @param claims the paper's and ours
 */
public record FigureResult(Map<String, Chart> charts, String csv, List<Claim> claims) {
  /** Creates a figure with one chart. */
  public FigureResult(Chart chart, String csv, List<Claim> claims) {
    this(Map.of("", chart), csv, claims);
  }
}
