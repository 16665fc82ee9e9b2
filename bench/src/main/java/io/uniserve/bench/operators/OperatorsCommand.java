package io.uniserve.bench.operators;

import io.uniserve.api.Plan;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.measure.Contender;
import io.uniserve.bench.measure.Rounds;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.option.MeasureOptions;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code bench operators}. */
@Command(
    name = "operators",
    mixinStandardHelpOptions = true,
    description = "What an empty plan of scatter, gather, retrieve and combine costs, embedded.")
public final class OperatorsCommand implements Callable<Integer> {
  private static final int ACTORS = 4;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String NAME = "scatter, gather, retrieve, combine";

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private MeasureOptions measureOptions = new MeasureOptions();

  @Override
  public Integer call() {
    Path directory = run.newDirectory("operators");
    Map<String, Series> series = measure(directory.resolve("cluster"));
    String report = report(series.get(NAME));
    run.publish("operators", report);
    JsonFile.write(directory.resolve("operators.json"), JsonFile.of(series));
    return 0;
  }

  private Map<String, Series> measure(Path directory) {
    Partitioner.Hash partitioner = new Partitioner.Hash(ACTORS);
    Plan<Exchange.Received> plan = Exchange.plan(partitioner, 0);
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, ACTORS, new BlockEngine())) {
      UniserveClient client = cluster.client();
      client.createTable(BlockEngine.table(ACTORS), TIMEOUT);
      IntConsumer caller =
          call -> {
            long chunks = client.query(plan, QueryOptions.DEFAULT).chunks();
            if (chunks != ACTORS * ACTORS) {
              throw new BenchException(chunks + " chunks came, not " + ACTORS * ACTORS);
            }
          };
      Contender contender =
          new Contender(
              NAME,
              ProcessHandle.current().pid(),
              time -> ClosedLoop.run(1, List.of(caller), time));
      return Rounds.measure(List.of(contender), measureOptions.plan(run.quick()));
    }
  }

  private static String report(Series series) {
    if (series.isEmpty()) {
      throw new BenchException("Not one window was quiet enough");
    }
    Table table = new Table("plan", "p50", "p99", "plans/s", "CPU/plan", "windows");
    table.add(
        NAME,
        Figures.millis(series.latencyNanos(0.5)),
        Figures.millis(series.latencyNanos(0.99)),
        Figures.spread(series.queriesPerSecond()),
        Figures.millis(series.serverCpuNanosPerQuery().median()),
        "%d (%d noisy)".formatted(series.accepted().size(), series.rejected()));
    return """
        - Machine: %s
        - Java: %s
        - One caller; an embedded cluster of %d servers with an actor each; each actor sends an empty chunk to each

        %s
        """
        .formatted(Machine.describe(), Machine.java(), ACTORS, table);
  }
}
