package io.uniserve.bench.failover;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.option.RunOptions;
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

/** The command {@code bench failover}. */
@Command(
    name = "failover",
    mixinStandardHelpOptions = true,
    description = "Queries that fail when a server is killed, or stands still; ends with 1 if any.")
public final class FailoverCommand implements Callable<Integer> {
  private static final int SERVERS = 4;
  private static final int DOCUMENTS = 20_000;

  @Mixin private RunOptions run = new RunOptions();

  @Option(names = "--repetitions", description = "Of each kind. Default: ${DEFAULT-VALUE}.")
  private int repetitions = 20;

  @Option(
      names = "--queries",
      description = "At least so many around each. Default: ${DEFAULT-VALUE}.")
  private int queries = 10_000;

  @Option(names = "--clients", description = "Default: ${DEFAULT-VALUE}.")
  private int clients = 8;

  /** A fault of a server. */
  private enum Fault {
    /** The process ends, and its connections with it. */
    KILL("`kill -9`", FailoverCluster::kill, FailoverCluster::start),
    /** The process stops, and nobody is notified. */
    HALT("`SIGSTOP`", FailoverCluster::halt, FailoverCluster::resume);

    private final String name;
    private final Effect begin;
    private final Effect end;

    Fault(String name, Effect begin, Effect end) {
      this.name = name;
      this.begin = begin;
      this.end = end;
    }

    @FunctionalInterface
    private interface Effect {
      void on(FailoverCluster cluster, String server) throws IOException;
    }
  }

  /**
   * One failure.
   *
   * @param around the outcome of the queries from before the failure until the server was back
   * @param noticedMillis the time from the failure until the cluster noticed it
   * @param wholeMillis the time from the failure until every actor had two readable copies again
   */
  private record Failure(
      Fault fault, QueryLoad.Outcome around, double noticedMillis, double wholeMillis) {}

  @Override
  public Integer call() throws IOException {
    Path directory = run.newDirectory("failover");
    if (run.quick()) {
      repetitions = 2;
      queries = 1_000;
    }
    List<Failure> failures = new ArrayList<>();
    try (FailoverCluster cluster = FailoverCluster.start(directory, SERVERS)) {
      cluster.load(DOCUMENTS);
      try (QueryLoad load = new QueryLoad(clients, cluster::count, DOCUMENTS)) {
        await(load, queries / 2);
        for (int i = 0; i < repetitions; i++) {
          for (Fault fault : Fault.values()) {
            // The next server is chosen, because one that has just been away has no copies.
            String victim = cluster.serverNames().get(failures.size() % SERVERS);
            failures.add(fail(fault, cluster, load, victim));
          }
        }
      }
    }
    run.publish("failover", report(failures));
    return failures.stream().allMatch(FailoverCommand::clean) ? 0 : 1;
  }

  private static boolean clean(Failure failure) {
    return failure.around().failures().isEmpty() && failure.around().wrong().isEmpty();
  }

  private Failure fail(Fault fault, FailoverCluster cluster, QueryLoad load, String victim)
      throws IOException {
    load.take();
    await(load, queries / 4);
    long begun = System.nanoTime();
    fault.begin.on(cluster, victim);
    cluster.awaitServers(SERVERS - 1);
    double noticed = (System.nanoTime() - begun) / 1e6;
    cluster.awaitWhole();
    double whole = (System.nanoTime() - begun) / 1e6;
    await(load, queries);
    fault.end.on(cluster, victim);
    cluster.awaitServers(SERVERS);
    cluster.awaitWhole();
    // The outcome is taken only now: the queries that waited for the server all the time have ended
    // by now.
    QueryLoad.Outcome around = load.take();
    System.err.printf(
        Locale.ROOT,
        "%s of %s: %,d queries, %d failed, %d wrong, slowest %.0f ms%n",
        fault.name,
        victim,
        around.queries(),
        around.failures().size(),
        around.wrong().size(),
        around.percentileMillis(1));
    around.failures().stream().distinct().limit(3).forEach(System.err::println);
    return new Failure(fault, around, noticed, whole);
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

  private String report(List<Failure> failures) {
    StringBuilder report = new StringBuilder();
    report.append(
        """
        - Machine: %s
        - %d processes with 384 MiB of heap each: a controller, %d servers, a gateway; a search table of %,d documents, 8 actors, 2 copies
        - %d clients over HTTP, each sending its next query when it has the answer; every answer is counted and compared
        - one server after another is killed, and started again once all copies were back; or it stands still, with its connections open, and goes on then

        | what | times | queries around one | failed | wrong | p50 | p99 | slowest | failure known after | two copies again after |
        | ---- | ----- | ------------------ | ------ | ----- | --- | --- | ------- | ------------------- | ---------------------- |
        """
            .formatted(Machine.describe(), SERVERS + 2, SERVERS, DOCUMENTS, clients));
    for (Fault fault : Fault.values()) {
      report.append(
          row(fault, failures.stream().filter(failure -> failure.fault() == fault).toList()));
    }
    return report.toString();
  }

  private static String row(Fault fault, List<Failure> failures) {
    return "| %s | %d | %s | %d | %d | %s ms | %s ms | %s ms | %s ms | %s ms |\n"
        .formatted(
            fault.name,
            failures.size(),
            spread(failures, failure -> failure.around().queries()),
            failures.stream().mapToInt(failure -> failure.around().failures().size()).sum(),
            failures.stream().mapToInt(failure -> failure.around().wrong().size()).sum(),
            spread(failures, failure -> failure.around().percentileMillis(0.5)),
            spread(failures, failure -> failure.around().percentileMillis(0.99)),
            spread(failures, failure -> failure.around().percentileMillis(1)),
            spread(failures, Failure::noticedMillis),
            spread(failures, Failure::wholeMillis));
  }

  @FunctionalInterface
  private interface Figure {
    double of(Failure failure);
  }

  /** Returns the median, followed by the minimum and the maximum in parentheses. */
  private static String spread(List<Failure> failures, Figure figure) {
    double[] sorted = failures.stream().mapToDouble(figure::of).sorted().toArray();
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
