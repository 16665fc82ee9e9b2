package io.uniserve.bench.operators;

import io.uniserve.api.Plan;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.measure.Contender;
import io.uniserve.bench.measure.Footprint;
import io.uniserve.bench.measure.Rounds;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.measure.Window;
import io.uniserve.bench.option.MeasureOptions;
import io.uniserve.bench.option.RunOptions;
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
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench shuffle}. */
@Command(
    name = "shuffle",
    mixinStandardHelpOptions = true,
    description =
        "Arrow that two server processes send each other in a scatter and a gather, beside bare "
            + "gRPC and bare sockets.")
public final class ShuffleCommand implements Callable<Integer> {
  private static final int ACTORS = 2;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = 20_000_000;
  private static final String NAME = "shuffle: two actors, each sends to the other";
  private static final String STREAM = "ceiling: blocks in a stream of bare gRPC";
  private static final String SOCKET = "ceiling: blocks through bare sockets";
  private static final String HEAP = "2g";
  private static final long BYTES_PER_MEGABYTE = 1_000_000;
  private static final int QUICK_MEGABYTES = 16;
  private static final double WINDOW_SECONDS = 2;

  /**
   * The longest warm-up. A plan takes a third of a second, and its code is compiled after some
   * hundred plans.
   */
  private static final Duration WARM_UP_MAX = Duration.ofSeconds(40);

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private MeasureOptions measureOptions = new MeasureOptions(WINDOW_SECONDS, WARM_UP_MAX);

  @Option(
      names = "--megabytes",
      description = "What each actor sends in one plan. Default: ${DEFAULT-VALUE}.")
  private int megabytes = 100;

  @Override
  public Integer call() {
    Path directory = run.newDirectory("shuffle");
    List<Integer> controllers = List.of(EngineNode.freePort());
    EngineNode.Place first =
        new EngineNode.Place(
            "s1", controllers, EngineNode.freePort(), directory.resolve("s1"), true);
    EngineNode.Place second =
        new EngineNode.Place(
            "s2", controllers, EngineNode.freePort(), directory.resolve("s2"), false);
    String report;
    try (ChildProcess one = EngineNode.start(BlockNode.class, HEAP, first);
        ChildProcess other = EngineNode.start(BlockNode.class, HEAP, second);
        BareExchange bare = BareExchange.start(HEAP, directory);
        RemoteClient remote =
            new RemoteClient(new BlockEngine(), controllers, directory.resolve("client"))) {
      createTable(remote.client());
      long sent = megabytesSent() * BYTES_PER_MEGABYTE;
      Plan<Exchange.Received> plan = Exchange.plan(new Partitioner.Hash(ACTORS), sent);
      Exchange.Received all = remote.client().query(plan, new QueryOptions(TIMEOUT));
      long blocks = all.chunks() / ACTORS;
      Map<String, Series> series =
          Rounds.measure(
              List.of(
                  contender(
                      NAME,
                      one.processId(),
                      all.bytes(),
                      () -> remote.client().query(plan, new QueryOptions(TIMEOUT)).bytes()),
                  contender(
                      STREAM,
                      bare.processId(),
                      all.bytes(),
                      () -> bare.exchange(BareExchangeProcess.Way.GRPC, blocks)),
                  contender(
                      SOCKET,
                      bare.processId(),
                      all.bytes(),
                      () -> bare.exchange(BareExchangeProcess.Way.SOCKET, blocks))),
              measureOptions.plan(run.quick()));
      report = report(series, all.bytes(), List.of(one, other));
      JsonFile.write(directory.resolve("shuffle.json"), JsonFile.of(series));
    }
    run.publish("shuffle", report);
    return 0;
  }

  private int megabytesSent() {
    return run.quick() ? QUICK_MEGABYTES : megabytes;
  }

  /**
   * Creates the table once both servers have joined. Otherwise both actors would be on one server.
   */
  private static void createTable(UniserveClient client) {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (client.view().statuses(TIMEOUT).size() < ACTORS) {
      if (System.nanoTime() > end) {
        throw new BenchException("Not both servers have joined within " + TIMEOUT);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    client.createTable(BlockEngine.table(ACTORS), TIMEOUT);
    long servers =
        client.view().statuses(TIMEOUT).stream()
            .filter(status -> !status.actors().isEmpty())
            .count();
    if (servers != ACTORS) {
      throw new BenchException("The actors are on " + servers + " servers, not on " + ACTORS);
    }
  }

  private static Contender contender(
      String name, long processId, long bytes, LongSupplier exchange) {
    IntConsumer caller =
        call -> {
          long came = exchange.getAsLong();
          if (came != bytes) {
            throw new BenchException(name + ": " + came + " bytes came, not " + bytes);
          }
        };
    return new Contender(name, processId, time -> ClosedLoop.run(1, List.of(caller), time));
  }

  private static String report(
      Map<String, Series> series, long bytes, List<ChildProcess> processes) {
    double megabytes = bytes / (double) BYTES_PER_MEGABYTE;
    String memory =
        processes.stream()
            .map(process -> Figures.megabytes(Footprint.peakResidentBytes(process.processId())))
            .collect(Collectors.joining(", "));
    Table table = new Table("", "MB/s", "p50", "shuffle : this", "most memory", "windows");
    series.forEach((name, one) -> add(table, name, one, series.get(NAME), megabytes, memory));
    return """
    - Machine: %s
    - Java: %s
    - Two server processes with heaps of %s on loopback, two cores for both; one plan at a time, in which %s MB cross in blocks of Arrow of about half a megabyte; what comes is counted, nothing else
    - Ceilings: two more such processes that only send each other as many blocks at the same time, always the same one, which is never kept

    %s
    """
        .formatted(Machine.describe(), Machine.java(), HEAP, Figures.number(megabytes), table);
  }

  private static void add(
      Table table, String name, Series one, Series shuffle, double megabytes, String memory) {
    List<Double> ratios = shuffle.ratios(one, Window::queriesPerSecond);
    if (one.isEmpty() || ratios.isEmpty()) {
      throw new BenchException("Not one window was quiet enough");
    }
    Spread rate = one.queriesPerSecond();
    table.add(
        name,
        Figures.spread(
            new Spread(
                rate.median() * megabytes,
                rate.least() * megabytes,
                rate.greatest() * megabytes,
                rate.count())),
        Figures.millis(one.latencyNanos(0.5)),
        Figures.spread(Statistics.spread(ratios)),
        name.equals(NAME) ? memory : "",
        "%d (%d noisy)".formatted(one.accepted().size(), one.rejected()));
  }
}
