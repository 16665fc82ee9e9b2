package io.uniserve.bench.loading;

import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.Table;
import java.util.List;
import java.util.Optional;

/** The table of the loading benchmark, which shows every target beside the first. */
final class LoadReport {

  private LoadReport() {}

  static String of(List<LoadSeries> all) {
    LoadSeries reference = all.getFirst();
    Table table =
        new Table(
            "target",
            "documents/s",
            "CPU/document",
            "rate : first",
            "CPU : first",
            "peak memory",
            "passes");
    for (LoadSeries series : all) {
      table.add(
          series.target(),
          spread(series.spread(LoadPass::documentsPerSecond)),
          series
              .spread(LoadPass::cpuNanosPerDocument)
              .map(spread -> Figures.millis(spread.median()))
              .orElse("-"),
          spread(series.ratio(reference, LoadPass::documentsPerSecond)),
          spread(series.ratio(reference, LoadPass::cpuNanosPerDocument)),
          series
              .spread(LoadPass::peakResidentBytes)
              .map(spread -> Figures.megabytes((long) spread.greatest()))
              .orElse("-"),
          "%d (%d noisy)".formatted(series.accepted().size(), series.rejected()));
    }
    return table.toString();
  }

  private static String spread(Optional<Spread> spread) {
    return spread.map(Figures::spread).orElse("-");
  }
}
