package io.uniserve.bench.loading;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.CpuMeter;
import io.uniserve.bench.measure.CpuUse;
import io.uniserve.bench.measure.Footprint;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A measurement that makes passes over several targets, in rounds of one pass each, in changing
 * order.
 */
final class LoadMeasurement {

  private final double foreignCoresMax;
  private final PrintStream progress;
  private final List<Entry> entries = new ArrayList<>();

  /** One target, opened anew with an empty index for each round. */
  private record Entry(
      String name, IntFunction<LoadTarget> open, List<LoadPass> accepted, int[] rejected) {}

  LoadMeasurement(double foreignCoresMax, PrintStream progress) {
    this.foreignCoresMax = foreignCoresMax;
    this.progress = progress;
  }

  /**
   * @param open opens the target for the round of a given number
   */
  void add(String name, IntFunction<LoadTarget> open) {
    entries.add(new Entry(name, open, new ArrayList<>(), new int[1]));
  }

  List<LoadSeries> run(int rounds, int roundsMax) {
    for (int round = 0; round < roundsMax && !complete(rounds); round++) {
      for (int i = 0; i < entries.size(); i++) {
        pass(round, entries.get((round + i) % entries.size()));
      }
    }
    return entries.stream()
        .map(entry -> new LoadSeries(entry.name(), entry.accepted(), entry.rejected()[0]))
        .toList();
  }

  private boolean complete(int rounds) {
    return entries.stream().allMatch(entry -> entry.accepted().size() >= rounds);
  }

  private void pass(int round, Entry entry) {
    try (LoadTarget target = entry.open().apply(round)) {
      CpuMeter meter = CpuMeter.start(target.processId());
      long documents = target.load();
      CpuUse use = meter.stop();
      if (documents == 0) {
        throw new BenchException(entry.name() + " loaded no document");
      }
      LoadPass pass =
          new LoadPass(round, documents, use, Footprint.peakResidentBytes(target.processId()));
      boolean quiet = use.foreignCores() <= foreignCoresMax;
      if (quiet) {
        entry.accepted().add(pass);
      } else {
        entry.rejected()[0]++;
      }
      progress.printf(
          "%s: %,.0f documents/s, %.2f foreign cores%s%n",
          entry.name(),
          pass.documentsPerSecond(),
          use.foreignCores(),
          quiet ? "" : ", thrown away");
    }
  }
}
