package io.uniserve.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

class ProcFilesTest {

  @Test
  void readsTheTimesOfAProcessWhoseNameHoldsBracketsAndSpaces() {
    String stat = "42 (a (b) c) S 1 42 42 0 -1 4194560 100 0 0 0 150 50 7 8 20 0 31 0 999";

    assertThat(ProcFiles.processCpuNanos(stat)).isEqualTo(200 * 10_000_000L);
  }

  @Test
  void countsStolenTimeButNoIdleTimeAndNoInterrupts() {
    String stat = "cpu  100 20 30 9999 8888 5 6 40 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n";

    assertThat(ProcFiles.machineCpuNanos(stat)).isEqualTo(190 * 10_000_000L);
  }

  @Test
  void readsResidentMemory() {
    String status = "Name:\tjava\nVmHWM:\t  4096 kB\nVmRSS:\t  2048 kB\n";

    assertThat(ProcFiles.statusBytes(status, ProcFiles.RESIDENT)).isEqualTo(2 << 20);
    assertThat(ProcFiles.statusBytes(status, ProcFiles.PEAK)).isEqualTo(4 << 20);
  }

  @Test
  void findsTheHeapInWhatJcmdSays() {
    assertThat(
            Footprint.usedHeapBytes(
                "42:\n garbage-first heap   total reserved 2097152K, committed 264192K, used 7168K [0x"))
        .isEqualTo(7L << 20);
    assertThat(Footprint.usedHeapBytes(" garbage-first heap   total 264192K, used 1024K [0x"))
        .isEqualTo(1L << 20);
  }

  @Test
  void attributesWhatThisProcessTakesToItself() {
    long self = ProcessHandle.current().pid();
    CpuMeter meter = CpuMeter.start(self);
    burn(200_000_000L);
    CpuUse use = meter.stop();

    assertThat(use.serverCpuNanos()).isGreaterThanOrEqualTo(150_000_000L);
    assertThat(use.elapsedNanos()).isGreaterThanOrEqualTo(200_000_000L);
    // the kernel counts in hundredths of a second, so a short time of all processors may look
    // longer
    assertThat(use.foreignCores())
        .isBetween(0.0, 1.25 * Runtime.getRuntime().availableProcessors());
  }

  /** Uses the given amount of CPU time, however long that takes on a busy machine. */
  private static void burn(long cpuNanos) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + cpuNanos;
    while (threads.getCurrentThreadCpuTime() < end) {
      Thread.onSpinWait();
    }
  }
}
