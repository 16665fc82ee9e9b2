package io.uniserve.bench.updates;

import io.uniserve.api.Consistency;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.keyvalue.BareKeyValue;
import io.uniserve.bench.keyvalue.Entry;
import io.uniserve.bench.keyvalue.KeyValueEngine;
import io.uniserve.bench.keyvalue.KeyValueProcesses;
import io.uniserve.bench.measure.Contender;
import io.uniserve.bench.measure.Footprint;
import io.uniserve.bench.measure.Rounds;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.option.MeasureOptions;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Machine;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.runtime.client.UniserveClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench updates}. */
@Command(
    name = "updates",
    mixinStandardHelpOptions = true,
    description = "What an update costs at each level, beside the bare engine.")
public final class UpdatesCommand implements Callable<Integer> {
  private static final int SERVERS = 3;

  /** The name by which sessions are selected. */
  private static final String SESSIONS = "ordered, sessions";

  private static final int SESSION_ROUNDS = 3;
  private static final Duration SESSION_TIME = Duration.ofSeconds(8);
  private static final List<Integer> ONE_AND_EIGHT = List.of(1, 8);
  private static final List<Integer> ONE_TO_MANY = List.of(1, 8, 64);

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private MeasureOptions measureOptions = new MeasureOptions();

  @Option(
      names = "--processes",
      description =
          "Three controllers and three servers as processes instead of an embedded cluster.")
  private boolean processes;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      defaultValue = "",
      description = "Measures only the updates whose name contains this.")
  private Pattern only;

  @Override
  public Integer call() throws IOException {
    Path directory = run.newDirectory("updates");
    try (BareKeyValue bare = new BareKeyValue(directory.resolve("bare"), PutTable.COPIES)) {
      if (processes) {
        try (KeyValueProcesses cluster = new KeyValueProcesses(directory.resolve("cluster"))) {
          measure(directory, bare, cluster.client(), cluster.processIds());
        }
        if (only.asPredicate().test(SESSIONS)) {
          measureSessions(directory);
        }
      } else {
        try (EmbeddedCluster cluster =
            EmbeddedCluster.start(
                directory.resolve("cluster"),
                SERVERS,
                new KeyValueEngine(),
                new SearchEngine(),
                new WarehouseEngine())) {
          long self = ProcessHandle.current().pid();
          measure(directory, bare, cluster.client(), List.of(self));
        }
      }
    }
    return 0;
  }

  private void measure(
      Path directory, BareKeyValue bare, UniserveClient client, List<Long> processIds) {
    Workload alone =
        new Workload(
            "put, bare SQLite, both copies", List.of(1), call -> bare.put(anyEntry()), false);
    List<PutTable> tables = new ArrayList<>();
    List<Workload> workloads = new ArrayList<>(List.of(alone));
    puts(client, tables).forEach(workloads::add);
    if (!processes) {
      RowTable documents = RowTable.ofSearch(client);
      RowTable rows = RowTable.ofWarehouse(client);
      workloads.add(new Workload("search, a document", ONE_TO_MANY, documents::storeOne, false));
      workloads.add(new Workload("warehouse, a row", ONE_TO_MANY, rows::storeOne, false));
    }
    Predicate<String> wanted = only.asPredicate();
    workloads.removeIf(workload -> workload != alone && !wanted.test(workload.name()));
    List<Contender> contenders =
        workloads.stream()
            .flatMap(
                workload ->
                    workload.contenders(
                        workload == alone ? List.of(ProcessHandle.current().pid()) : processIds))
            .toList();
    Map<String, Series> series = Rounds.measure(contenders, measureOptions.plan(run.quick()));
    tables.forEach(PutTable::check);
    if (bare.puts() == 0) {
      throw new BenchException("The bare engine has no entries");
    }
    UpdatesTable table = new UpdatesTable(series, Optional.of(alone));
    workloads.forEach(table::add);
    run.publish(processes ? "updates-processes" : "updates", report(table, processIds));
    JsonFile.write(directory.resolve("updates.json"), JsonFile.of(series));
  }

  /** Measures sessions in a cluster of their own, since others fill the disks. */
  private void measureSessions(Path directory) {
    Duration time = run.quick() ? Duration.ofSeconds(1) : SESSION_TIME;
    try (KeyValueProcesses cluster = new KeyValueProcesses(directory.resolve("sessions"))) {
      PutTable table = new PutTable(cluster.client(), Consistency.ORDERED);
      String figures =
          new SessionFigures(cluster.client(), table, time, run.quick() ? 1 : SESSION_ROUNDS)
              .measure();
      table.check();
      run.publish(
          "updates-sessions",
          """
          - Machine: %s
          - Java: %s
          - %d controllers whose log is on disk and %d servers, each a process of its own; the client, which has all sessions, is another; a table of %d actors with %d copies, values of %d characters
          - %d measurements of %d s of each, which take turns; all sessions together have a window of 4,096 updates; a latency is from the submission until the update is stable
          - At the end the table was found to have each put exactly once

          %s
          """
              .formatted(
                  Machine.describe(),
                  Machine.java(),
                  KeyValueProcesses.CONTROLLERS,
                  KeyValueProcesses.SERVERS,
                  PutTable.ACTORS,
                  PutTable.COPIES,
                  PutTable.VALUE_LENGTH,
                  run.quick() ? 1 : SESSION_ROUNDS,
                  time.toSeconds(),
                  figures));
    }
  }

  private static Entry anyEntry() {
    return PutTable.entry(ThreadLocalRandom.current().nextInt(PutTable.KEYS));
  }

  private static Stream<Workload> puts(UniserveClient client, List<PutTable> tables) {
    List<Workload> workloads = new ArrayList<>();
    for (Consistency level : Consistency.values()) {
      PutTable table = new PutTable(client, level);
      tables.add(table);
      String name = table.name();
      if (level == Consistency.EVENTUAL) {
        workloads.add(new Workload("eventual, one put", ONE_TO_MANY, table::putOne, true));
      } else {
        workloads.add(new Workload(name + ", one actor", ONE_AND_EIGHT, table::putOne, true));
        workloads.add(
            new Workload(name + ", four actors", ONE_AND_EIGHT, table::putIntoEach, false));
      }
    }
    return workloads.stream();
  }

  private String report(UpdatesTable table, List<Long> processIds) {
    return """
    - Machine: %s
    - Java: %s; most memory of %s: %s
    - %s; tables of %d actors with %d copies; puts of a value of %d characters to one of %,d keys
    - An update is acknowledged when every copy shows it; at the end every table of keys and values was found to have each exactly once
    - CPU: of all processes, the client's with them, by the number of clients; over the engine's own: what one client's update takes more than the same puts to both copies without a cluster

    %s
    """
        .formatted(
            Machine.describe(),
            Machine.java(),
            processes ? "the processes together" : "the process",
            Figures.megabytes(processIds.stream().mapToLong(Footprint::peakResidentBytes).sum()),
            processes
                ? "%d controllers whose log is on disk and %d servers, each a process of its own, and the client's"
                    .formatted(KeyValueProcesses.CONTROLLERS, KeyValueProcesses.SERVERS)
                : "An embedded cluster: a controller whose log is on disk, %d servers and the client in one process"
                    .formatted(SERVERS),
            PutTable.ACTORS,
            PutTable.COPIES,
            PutTable.VALUE_LENGTH,
            PutTable.KEYS,
            table);
  }
}
