package io.uniserve.simulation.figure.scan;

import io.uniserve.simulation.figure.result.Figure;
import java.util.List;

/** The figures of adaptive scans that can be made. */
public final class ScanFigures {
  /** Every figure, with its number in the paper. */
  public static final List<Figure> ALL =
      List.of(
          new Figure("scan-4", "scans: length of the range", SingleScans::lengths),
          new Figure("scan-5", "scans: selectivity", SingleScans::selectivities),
          new Figure("scan-6", "scans: rate of the client, and ASA", SingleScans::rates),
          new Figure("scan-7", "scans: ASA over time", Courses::parallelism),
          new Figure("scan-8", "scans: four, equal clients", SeveralScans::equalClients),
          new Figure("scan-9", "scans: a slow and a fast client", SeveralScans::unequalClients),
          new Figure("scan-10", "scans: policies and lengths", LengthPolicies::lengths),
          new Figure("scan-11", "scans: what two receive over time", Courses::received),
          new Figure("scan-12", "scans: policies and priorities", PriorityPolicies::priorities),
          new Figure("scan-scale", "scans: up to 200 servers, 160 scans", ScanScale::make));

  private ScanFigures() {}
}
