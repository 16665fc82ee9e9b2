package io.uniserve.bench.operators;

import io.uniserve.api.Partitioner;
import io.uniserve.api.Plan;
import io.uniserve.bench.BenchException;
import io.uniserve.bench.MeasureOptions;
import io.uniserve.bench.RunOptions;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.measure.Contender;
import io.uniserve.bench.measure.Footprint;
import io.uniserve.bench.measure.Rounds;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.EngineNode;
import io.uniserve.bench.systems.RemoteClient;
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
import picocli.CommandLine.Option;

/** {@code bench shuffle}. */
@Command(
    name = "shuffle",
    mixinStandardHelpOptions = true,
    description = "Arrow that two server processes send each other in a scatter and a gather.")
public final class ShuffleCommand implements Callable<Integer> {
  private static final int ACTORS = 2;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String NAME = "two actors, each sends to the other";
  private static final String HEAP = "2g";
  private static final long BYTES_PER_MEGABYTE = 1_000_000;
  private static final int QUICK_MEGABYTES = 16;

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private MeasureOptions measureOptions = new MeasureOptions();

  @Option(
      names = "--megabytes",
      description = "What each actor sends in one plan. Default: ${DEFAULT-VALUE}.")
  private int megabytes = 100;

  @Override
  public Integer call() {
    Path directory = run.newDirectory("shuffle");
    int router = EngineNode.freePort();
    EngineNode.Place first =
        new EngineNode.Place("s1", router, EngineNode.freePort(), directory.resolve("s1"), true);
    EngineNode.Place second =
        new EngineNode.Place("s2", router, EngineNode.freePort(), directory.resolve("s2"), false);
    String report;
    try (ChildProcess one = EngineNode.start(BlockNode.class, HEAP, first);
        ChildProcess other = EngineNode.start(BlockNode.class, HEAP, second);
        RemoteClient remote =
            new RemoteClient(new BlockEngine(), router, directory.resolve("client"))) {
      createTable(remote.client());
      long sent = megabytesSent() * BYTES_PER_MEGABYTE;
      Plan<Exchange.Received> plan = Exchange.plan(new Partitioner.Hash(ACTORS), sent);
      long bytes = remote.client().query(plan, new QueryOptions(TIMEOUT)).bytes();
      Map<String, Series> series = measure(remote.client(), plan, bytes, one.processId());
      report = report(series.get(NAME), bytes, List.of(one, other));
      JsonFile.write(directory.resolve("shuffle.json"), JsonFile.of(series));
    }
    run.publish("shuffle", report);
    return 0;
  }

  private int megabytesSent() {
    return run.quick() ? QUICK_MEGABYTES : megabytes;
  }

  /** Both servers have to be there, or both actors would be in one. */
  private static void createTable(UniserveClient client) {
    client.createTable(BlockEngine.table(ACTORS), TIMEOUT);
    long servers =
        client.statuses(TIMEOUT).stream().filter(status -> !status.actors().isEmpty()).count();
    if (servers != ACTORS) {
      throw new BenchException("The actors are on " + servers + " servers, not on " + ACTORS);
    }
  }

  private Map<String, Series> measure(
      UniserveClient client, Plan<Exchange.Received> plan, long bytes, long processId) {
    IntConsumer caller =
        call -> {
          long came = client.query(plan, new QueryOptions(TIMEOUT)).bytes();
          if (came != bytes) {
            throw new BenchException(came + " bytes came, not " + bytes);
          }
        };
    Contender contender =
        new Contender(NAME, processId, time -> ClosedLoop.run(1, List.of(caller), time));
    return Rounds.measure(List.of(contender), measureOptions.plan(run.quick()));
  }

  private static String report(Series series, long bytes, List<ChildProcess> processes) {
    if (series.isEmpty()) {
      throw new BenchException("Not one window was quiet enough");
    }
    Table table = new Table("shuffle", "MB/s", "p50 of a plan", "most memory", "windows");
    table.add(
        NAME,
        Figures.number(bytes / (double) BYTES_PER_MEGABYTE / (series.latencyNanos(0.5) / 1e9)),
        Figures.millis(series.latencyNanos(0.5)),
        processes.stream()
            .map(process -> Figures.megabytes(Footprint.peakResidentBytes(process.processId())))
            .reduce((some, more) -> some + ", " + more)
            .orElseThrow(),
        "%d (%d noisy)".formatted(series.accepted().size(), series.rejected()));
    return """
        - Machine: %s
        - Java: %s
        - Two server processes with heaps of %s on loopback, two cores for both; one plan at a time, in which %s MB cross in blocks of Arrow of about half a megabyte; what comes is counted, nothing else

        %s
        """
        .formatted(
            Machine.describe(),
            Machine.java(),
            HEAP,
            Figures.number(bytes / (double) BYTES_PER_MEGABYTE),
            table);
  }
}
