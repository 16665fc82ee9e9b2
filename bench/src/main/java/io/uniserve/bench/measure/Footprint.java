package io.uniserve.bench.measure;

import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The resources that an idle Java process uses.
 *
 * @param residentBytes the memory in RAM, with everything that the process maps
 * @param liveHeapBytes the size of the Java heap after a full collection
 * @param idleCores the CPU time, as a number of cores
 */
public record Footprint(long residentBytes, long liveHeapBytes, double idleCores) {

  private static final Pattern USED = Pattern.compile("used (\\d+)K");
  private static final long BYTES_PER_KILOBYTE = 1_024;
  private static final Duration IDLE = Duration.ofSeconds(3);

  /** Watches the idle process for a while, collects its garbage, then measures it. */
  public static Footprint of(long processId) {
    long resident = ProcFiles.residentBytesOf(processId);
    double idle = idleCoresOf(processId);
    jcmd(processId, "GC.run");
    return new Footprint(resident, usedHeapBytes(jcmd(processId, "GC.heap_info")), idle);
  }

  private static double idleCoresOf(long processId) {
    CpuMeter meter = CpuMeter.start(processId);
    try {
      Thread.sleep(IDLE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while a process was idle", e);
    }
    CpuUse use = meter.stop();
    return (double) use.serverCpuNanos() / use.elapsedNanos();
  }

  /** Returns the most memory of a process that has been in RAM so far, in bytes. */
  public static long peakResidentBytes(long processId) {
    return ProcFiles.peakResidentBytesOf(processId);
  }

  /** Returns the memory of a process that is in RAM, in bytes. */
  public static long residentBytes(long processId) {
    return ProcFiles.residentBytesOf(processId);
  }

  static long usedHeapBytes(String heapInfo) {
    Matcher used = USED.matcher(heapInfo);
    if (!used.find()) {
      throw new BenchException("No heap size in what jcmd says: " + heapInfo);
    }
    return Long.parseLong(used.group(1)) * BYTES_PER_KILOBYTE;
  }

  private static String jcmd(long processId, String command) {
    String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    try {
      Process process =
          new ProcessBuilder(program, Long.toString(processId), command)
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new BenchException("jcmd " + command + " failed: " + output);
      }
      return output;
    } catch (IOException e) {
      throw new BenchException("Cannot run " + program, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while jcmd ran", e);
    }
  }
}
