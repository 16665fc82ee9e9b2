package io.uniserve.bench.failover;

import io.uniserve.bench.BenchException;
import io.uniserve.bench.RunOptions;
import io.uniserve.bench.report.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench failover}. */
@Command(
    name = "failover",
    mixinStandardHelpOptions = true,
    description = "Queries that fail when a server is killed; ends with 1 if any does.")
public final class FailoverCommand implements Callable<Integer> {
  private static final int SERVERS = 4;
  private static final int DOCUMENTS = 20_000;

  @Mixin private RunOptions run = new RunOptions();

  @Option(names = "--repetitions", description = "Kills. Default: ${DEFAULT-VALUE}.")
  private int repetitions = 20;

  @Option(
      names = "--queries",
      description = "At least so many around each kill. Default: ${DEFAULT-VALUE}.")
  private int queries = 10_000;

  @Option(names = "--clients", description = "Default: ${DEFAULT-VALUE}.")
  private int clients = 8;

  /**
   * One kill.
   *
   * @param around what came of the queries from before the kill until all copies were back
   * @param noticedMillis from the kill until the cluster knew
   * @param wholeMillis from the kill until every actor had two readable copies again
   */
  private record Kill(QueryLoad.Outcome around, double noticedMillis, double wholeMillis) {}

  @Override
  public Integer call() throws IOException {
    Path directory = run.newDirectory("failover");
    if (run.quick()) {
      repetitions = 2;
      queries = 1_000;
    }
    List<Kill> kills = new ArrayList<>();
    try (FailoverCluster cluster = FailoverCluster.start(directory, SERVERS)) {
      cluster.load(DOCUMENTS);
      try (QueryLoad load = new QueryLoad(clients, cluster::count, DOCUMENTS)) {
        await(load, queries / 2);
        for (int i = 0; i < repetitions; i++) {
          kills.add(kill(cluster, load, cluster.serverNames().get(i % SERVERS)));
        }
      }
    }
    String report = report(kills);
    run.publish("failover", report);
    return kills.stream().allMatch(FailoverCommand::clean) ? 0 : 1;
  }

  private static boolean clean(Kill kill) {
    return kill.around().failures().isEmpty() && kill.around().wrong().isEmpty();
  }

  private Kill kill(FailoverCluster cluster, QueryLoad load, String victim) throws IOException {
    load.take();
    await(load, queries / 4);
    long begun = System.nanoTime();
    cluster.kill(victim);
    cluster.awaitServers(SERVERS - 1);
    double noticed = (System.nanoTime() - begun) / 1e6;
    cluster.awaitWhole();
    double whole = (System.nanoTime() - begun) / 1e6;
    await(load, queries);
    QueryLoad.Outcome around = load.take();
    cluster.start(victim);
    cluster.awaitServers(SERVERS);
    cluster.awaitWhole();
    Kill kill = new Kill(around, noticed, whole);
    System.err.printf(
        Locale.ROOT,
        "%s killed: %,d queries, %d failed, %d wrong%n",
        victim,
        around.queries(),
        around.failures().size(),
        around.wrong().size());
    around.failures().stream().distinct().limit(3).forEach(System.err::println);
    return kill;
  }

  private static void await(QueryLoad load, int ended) {
    try {
      while (load.ended() < ended) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    }
  }

  private String report(List<Kill> kills) {
    return """
    - Machine: %s
    - %d processes with 384 MiB of heap each: a router, %d servers, a gateway; a search table of %,d documents, 8 actors, 2 copies
    - %d clients over HTTP, each sending its next query when it has the answer; every answer is counted and compared
    - `kill -9` of one server after another, each started again once all copies were back

    | kills | queries around a kill | failed | wrong | p50 | p99 | slowest | failure known after | two copies again after |
    | ----- | --------------------- | ------ | ----- | --- | --- | ------- | ------------------- | ---------------------- |
    | %d | %s | %d | %d | %s ms | %s ms | %s ms | %s ms | %s ms |
    """
        .formatted(
            Machine.describe(),
            SERVERS + 2,
            SERVERS,
            DOCUMENTS,
            clients,
            kills.size(),
            spread(kills, kill -> kill.around().queries()),
            kills.stream().mapToInt(kill -> kill.around().failures().size()).sum(),
            kills.stream().mapToInt(kill -> kill.around().wrong().size()).sum(),
            spread(kills, kill -> kill.around().percentileMillis(0.5)),
            spread(kills, kill -> kill.around().percentileMillis(0.99)),
            spread(kills, kill -> kill.around().percentileMillis(1)),
            spread(kills, Kill::noticedMillis),
            spread(kills, Kill::wholeMillis));
  }

  @FunctionalInterface
  private interface Figure {
    double of(Kill kill);
  }

  /** The median, and the least and the largest in parentheses. */
  private static String spread(List<Kill> kills, Figure figure) {
    double[] sorted = kills.stream().mapToDouble(figure::of).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%s (%s-%s)",
        number(sorted[sorted.length / 2]),
        number(sorted[0]),
        number(sorted[sorted.length - 1]));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
  }
}
