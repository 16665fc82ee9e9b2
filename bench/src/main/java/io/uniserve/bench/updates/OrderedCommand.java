package io.uniserve.bench.updates;

import io.uniserve.api.Consistency;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.bench.keyvalue.CountPuts;
import io.uniserve.bench.keyvalue.KeyValueEngine;
import io.uniserve.bench.keyvalue.KeyValueProcesses;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.measure.Contender;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.Rounds;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.option.MeasureOptions;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.ordered.FiguresCommand;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.sharedscan.EngineCommand;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.UniserveClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench ordered}. */
@Command(
    name = "ordered",
    mixinStandardHelpOptions = true,
    subcommands = {EngineCommand.class, FiguresCommand.class},
    description = {
      "Sessions and the three kinds of reads of an ordered table.",
      "bench ordered engine: the engine of shared scans alone.",
      "bench ordered figures: figures 8 to 10 and 14 to 16 of the Crescando/RB paper."
    })
public final class OrderedCommand implements Callable<Integer> {
  private static final int SERVERS = 3;
  private static final List<Integer> CLIENTS = List.of(1, 8, 64);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final QueryOptions OPTIONS = new QueryOptions(PATIENCE);

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private MeasureOptions measureOptions = new MeasureOptions();

  @Option(
      names = "--processes",
      description =
          "Three controllers and three servers as processes instead of an embedded cluster.")
  private boolean processes;

  @Override
  public Integer call() throws IOException {
    Path directory = run.newDirectory("ordered");
    if (processes) {
      try (KeyValueProcesses cluster = new KeyValueProcesses(directory.resolve("cluster"))) {
        measure(directory, cluster.client(), cluster.processIds());
      }
    } else {
      try (EmbeddedCluster cluster =
          EmbeddedCluster.start(directory.resolve("cluster"), SERVERS, new KeyValueEngine())) {
        measure(directory, cluster.client(), List.of(ProcessHandle.current().pid()));
      }
    }
    return 0;
  }

  private void measure(Path directory, UniserveClient client, List<Long> processIds) {
    PutTable table = new PutTable(client, Consistency.ORDERED);
    Plan<Long> sum =
        Plan.query(table.name(), new CountPuts(), Operator.Combine.fold(0L, Long::sum));
    List<Workload> reads = new ArrayList<>();
    for (ReadLevel level : ReadLevel.values()) {
      QueryOptions options = OPTIONS.withRead(level);
      String name = level.name().toLowerCase(Locale.ROOT) + " read of four actors";
      reads.add(new Workload(name, CLIENTS, call -> client.query(sum, options), false));
    }
    List<SessionLoad> sessions =
        List.of(
            new SessionLoad(
                "session, updates of one actor",
                client,
                table,
                SessionOptions.DEFAULT,
                (session, number) -> table.submitOne(session)),
            new SessionLoad(
                "session, updates of four actors",
                client,
                table,
                SessionOptions.DEFAULT,
                (session, number) -> table.submitToEach(session)),
            new SessionLoad(
                "session, short way, each with one of four actors",
                client,
                table,
                SessionOptions.DEFAULT.withShortWay(),
                (session, number) -> table.submitTo(number % PutTable.ACTORS, session)),
            new SessionLoad(
                "session, short way, all with the same actor",
                client,
                table,
                SessionOptions.DEFAULT.withShortWay(),
                (session, number) -> table.submitTo(0, session)));
    List<Contender> contenders =
        Stream.concat(
                reads.stream().flatMap(read -> read.contenders(processIds)),
                sessions.stream().flatMap(load -> load.contenders(processIds)))
            .toList();
    Map<String, Series> series = Rounds.measure(contenders, measureOptions.plan(run.quick()));
    table.check();
    UpdatesTable figures = new UpdatesTable(series, Optional.empty());
    reads.forEach(figures::add);
    sessions.forEach(load -> figures.add(load.workload()));
    run.publish("ordered", report(figures));
    JsonFile.write(directory.resolve("ordered.json"), JsonFile.of(series));
  }

  /**
   * The updates of sessions, each submitted without a wait for the one before.
   *
   * @param name the name in the report
   * @param update submits one update of the session with a number
   */
  private record SessionLoad(
      String name,
      UniserveClient client,
      PutTable table,
      SessionOptions options,
      ObjIntConsumer<OrderedSession> update) {
    Workload workload() {
      return new Workload(name, CLIENTS, call -> {}, false);
    }

    Stream<Contender> contenders(List<Long> processIds) {
      return CLIENTS.stream()
          .map(
              count ->
                  new Contender(
                      workload().measured(count), processIds, time -> submit(count, time)));
    }

    /** Submits updates in some sessions at once until the time is over and all are applied. */
    private Latencies submit(int count, Duration time) {
      List<OrderedSession> sessions = new ArrayList<>();
      List<IntConsumer> callers = new ArrayList<>();
      try {
        for (int i = 0; i < count; i++) {
          OrderedSession session = client.updates().session(table.name(), options);
          int number = i;
          sessions.add(session);
          callers.add(call -> update.accept(session, number));
        }
        Latencies submitted = ClosedLoop.run(1, callers, time);
        sessions.forEach(session -> session.drain(PATIENCE));
        return submitted;
      } finally {
        sessions.forEach(OrderedSession::close);
      }
    }
  }

  private String report(UpdatesTable figures) {
    return """
    - Machine: %s
    - Java: %s
    - %s; a table of %d actors with %d copies; updates put a value of %d characters to one of %,d keys, reads count the puts of all actors
    - Reads and sessions take turns; the rate of a session is that of its submissions, which are bounded by its window of %,d updates; its latencies are those of submissions, not of outcomes
    - At the end the table was found to have each put exactly once

    %s
    """
        .formatted(
            Machine.describe(),
            Machine.java(),
            processes
                ? "%d controllers whose log is on disk and %d servers, each a process of its own"
                    .formatted(KeyValueProcesses.CONTROLLERS, KeyValueProcesses.SERVERS)
                : "An embedded cluster: a controller whose log is on disk, %d servers and the client in one process"
                    .formatted(SERVERS),
            PutTable.ACTORS,
            PutTable.COPIES,
            PutTable.VALUE_LENGTH,
            PutTable.KEYS,
            SessionOptions.DEFAULT.updatesMax(),
            figures);
  }
}
