package io.uniserve.bench.report;

import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A description of the machine on which the benchmark ran. */
public final class Machine {

  private static final double KILOBYTES_PER_GIGABYTE = 1 << 20;

  private Machine() {}

  /** Returns the processor, the cores, the memory and the kernel. */
  public static String describe() {
    return "%s, %d cores, %.0f GiB, %s %s"
        .formatted(
            field(Path.of("/proc/cpuinfo"), "model name"),
            Runtime.getRuntime().availableProcessors(),
            memoryKilobytes() / KILOBYTES_PER_GIGABYTE,
            System.getProperty("os.name"),
            System.getProperty("os.version"));
  }

  public static String java() {
    return System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version");
  }

  private static double memoryKilobytes() {
    return Double.parseDouble(field(Path.of("/proc/meminfo"), "MemTotal").replaceAll("\\D", ""));
  }

  private static String field(Path file, String name) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      throw new BenchException("Cannot read " + file, e);
    }
  }
}
