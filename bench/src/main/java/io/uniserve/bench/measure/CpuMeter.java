package io.uniserve.bench.measure;

import java.util.stream.LongStream;

/**
 * A meter that attributes the machine's CPU time over a span to the measured process, to the
 * benchmark (this process and all processes it started), and to all other processes.
 */
public final class CpuMeter {

  private final long serverProcess;
  private final long startNanos;
  private final long serverStart;
  private final long ownStart;
  private final long machineStart;

  private CpuMeter(long serverProcess) {
    this.serverProcess = serverProcess;
    this.serverStart = cpuOf(serverProcess);
    this.ownStart = ownCpu();
    this.machineStart = ProcFiles.machineCpuNanos();
    this.startNanos = System.nanoTime();
  }

  public static CpuMeter start(long serverProcess) {
    return new CpuMeter(serverProcess);
  }

  public CpuUse stop() {
    long elapsed = System.nanoTime() - startNanos;
    long machine = ProcFiles.machineCpuNanos() - machineStart;
    long own = ownCpu() - ownStart;
    long server = cpuOf(serverProcess) - serverStart;
    double foreignCores = Math.max(0, (double) (machine - own) / elapsed);
    return new CpuUse(elapsed, server, foreignCores);
  }

  private static long ownCpu() {
    ProcessHandle self = ProcessHandle.current();
    LongStream descendants = self.descendants().mapToLong(ProcessHandle::pid);
    return LongStream.concat(LongStream.of(self.pid()), descendants).map(CpuMeter::cpuOf).sum();
  }

  private static long cpuOf(long processId) {
    return ProcFiles.cpuNanosOf(processId).orElse(0);
  }
}
