package io.uniserve.bench.measure;

import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The figures that Linux publishes about processes and the machine under {@code /proc}. CPU times
 * are in nanoseconds, at 10 ms resolution.
 */
final class ProcFiles {

  /**
   * The unit of CPU times. The kernel shows them to user space in hundredths of a second, whatever
   * its own tick.
   */
  private static final long NANOS_PER_TICK = 10_000_000L;

  private static final long BYTES_PER_KILOBYTE = 1_024;
  static final String RESIDENT = "VmRSS:";
  static final String PEAK = "VmHWM:";

  private static final Path PROC = Path.of("/proc");

  private ProcFiles() {}

  /**
   * Returns the user and system time of a process since it began, or empty if there is no such
   * process.
   */
  static OptionalLong cpuNanosOf(long processId) {
    try {
      return OptionalLong.of(processCpuNanos(read(PROC.resolve(processId + "/stat"))));
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      throw new BenchException("Cannot read the CPU time of process " + processId, e);
    }
  }

  /**
   * Returns the time that all cores together spent in processes or lost to other virtual machines,
   * since boot.
   */
  static long machineCpuNanos() {
    try {
      return machineCpuNanos(read(PROC.resolve("stat")));
    } catch (IOException e) {
      throw new BenchException("Cannot read the CPU time of the machine", e);
    }
  }

  /** Returns the memory of a process that is in RAM, in bytes. */
  static long residentBytesOf(long processId) {
    return statusOf(processId, RESIDENT);
  }

  /**
   * Returns the CPU time in a line of {@code stat}. The second field may contain spaces and
   * brackets, so the fields are counted from its closing bracket.
   */
  static long processCpuNanos(String stat) {
    String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(afterName[11]) + Long.parseLong(afterName[12])) * NANOS_PER_TICK;
  }

  /**
   * Returns the user, nice, system and stolen time. Interrupts are left out, because the
   * benchmark's own packets cause most of them.
   */
  static long machineCpuNanos(String stat) {
    String[] fields = stat.lines().findFirst().orElseThrow().split(" +");
    long user = Long.parseLong(fields[1]);
    long nice = Long.parseLong(fields[2]);
    long system = Long.parseLong(fields[3]);
    long steal = Long.parseLong(fields[8]);
    return (user + nice + system + steal) * NANOS_PER_TICK;
  }

  /** Returns the most memory of a process that has been in RAM so far, in bytes. */
  static long peakResidentBytesOf(long processId) {
    return statusOf(processId, PEAK);
  }

  private static long statusOf(long processId, String field) {
    try {
      return statusBytes(read(PROC.resolve(processId + "/status")), field);
    } catch (IOException e) {
      throw new BenchException("Cannot read the memory of process " + processId, e);
    }
  }

  static long statusBytes(String status, String field) {
    return status
            .lines()
            .filter(line -> line.startsWith(field))
            .map(line -> line.replaceAll("\\D", ""))
            .mapToLong(Long::parseLong)
            .findFirst()
            .orElse(0)
        * BYTES_PER_KILOBYTE;
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file);
  }
}
