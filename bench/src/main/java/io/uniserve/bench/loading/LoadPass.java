package io.uniserve.bench.loading;

import io.uniserve.bench.measure.CpuUse;

/**
 * The measurements of one pass.
 *
 * @param round passes of different targets with the same round were made one after another
 * @param peakResidentBytes the most memory that the process had in RAM
 */
public record LoadPass(int round, long documents, CpuUse cpu, long peakResidentBytes) {

  private static final double NANOS_PER_SECOND = 1e9;

  public double documentsPerSecond() {
    return documents * NANOS_PER_SECOND / cpu.elapsedNanos();
  }

  public double cpuNanosPerDocument() {
    return (double) cpu.serverCpuNanos() / documents;
  }
}
