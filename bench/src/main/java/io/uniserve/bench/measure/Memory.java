package io.uniserve.bench.measure;

import io.uniserve.bench.BenchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory of a Java process.
 *
 * @param residentBytes in RAM, with everything that the process maps
 * @param liveHeapBytes of the Java heap after a full collection
 */
public record Memory(long residentBytes, long liveHeapBytes) {

  private static final Pattern USED = Pattern.compile("used (\\d+)K");
  private static final long BYTES_PER_KILOBYTE = 1_024;

  /** Collects the garbage of the process, then measures it. */
  public static Memory of(long processId) {
    long resident = ProcFiles.residentBytesOf(processId);
    jcmd(processId, "GC.run");
    return new Memory(resident, usedHeapBytes(jcmd(processId, "GC.heap_info")));
  }

  /** The most memory of a process that has been in RAM so far, in bytes. */
  public static long peakResidentBytes(long processId) {
    return ProcFiles.peakResidentBytesOf(processId);
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
