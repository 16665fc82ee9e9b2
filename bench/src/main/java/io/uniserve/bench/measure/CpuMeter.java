package io.uniserve.bench.measure;

import java.util.List;
import java.util.stream.LongStream;

/**
 * A meter that attributes the machine's CPU time over a span to the measured processes, to the
 * benchmark (this process and all processes it started), and to all other processes.
 */
public final class CpuMeter {

  private final List<Long> serverProcesses;
  private final long startNanos;
  private final long serverStart;
  private final long ownStart;
  private final long machineStart;

  private CpuMeter(List<Long> serverProcesses) {
    this.serverProcesses = serverProcesses;
    this.serverStart = cpuOf(serverProcesses);
    this.ownStart = ownCpu();
    this.machineStart = ProcFiles.machineCpuNanos();
    this.startNanos = System.nanoTime();
  }

  /** Begins to measure a process. */
  public static CpuMeter start(long serverProcess) {
    return start(List.of(serverProcess));
  }

  /** Begins to measure several processes together. */
  public static CpuMeter start(List<Long> serverProcesses) {
    return new CpuMeter(serverProcesses);
  }

  public CpuUse stop() {
    long elapsed = System.nanoTime() - startNanos;
    long machine = ProcFiles.machineCpuNanos() - machineStart;
    long own = ownCpu() - ownStart;
    long server = cpuOf(serverProcesses) - serverStart;
    double foreignCores = Math.max(0, (double) (machine - own) / elapsed);
    return new CpuUse(elapsed, server, foreignCores);
  }

  private static long ownCpu() {
    ProcessHandle self = ProcessHandle.current();
    LongStream descendants = self.descendants().mapToLong(ProcessHandle::pid);
    return LongStream.concat(LongStream.of(self.pid()), descendants).map(CpuMeter::cpuOf).sum();
  }

  private static long cpuOf(List<Long> processIds) {
    return processIds.stream().mapToLong(CpuMeter::cpuOf).sum();
  }

  private static long cpuOf(long processId) {
    return ProcFiles.cpuNanosOf(processId).orElse(0);
  }
}
