package io.uniserve.backends.duckdb;

import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.planner.DistributedQuery.Column;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A process that runs statements of much memory, three at a time, and prints for each how it ended
 * and how much memory the process has had at most since it began.
 */
final class HungryStatements {
  private static final int AT_ONCE = 3;

  private HungryStatements() {}

  /**
   * @param statements the statements to run, one after another
   */
  public static void main(String[] statements) throws Exception {
    for (String sql : statements) {
      Thread[] threads = new Thread[AT_ONCE];
      String[] ends = new String[AT_ONCE];
      for (int i = 0; i < AT_ONCE; i++) {
        int place = i;
        threads[i] = Thread.ofPlatform().start(() -> ends[place] = end(sql));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.println(mostMegabytes() + "\t" + sql + "\t" + String.join(", ", ends));
    }
  }

  private static String end(String sql) {
    try {
      LastStage stage = new LastStage(sql, List.of(), List.of(new Column("value", 0)), true);
      return "gives " + ClientStage.answer(stage, Duration.ofMinutes(2)).get("rows");
    } catch (UniserveException e) {
      return e.code() + " " + e.getMessage();
    }
  }

  private static long mostMegabytes() throws Exception {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
        .findAny()
        .orElseThrow();
  }
}
