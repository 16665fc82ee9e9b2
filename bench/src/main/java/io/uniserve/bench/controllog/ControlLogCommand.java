package io.uniserve.bench.controllog;

import io.uniserve.bench.base.ProjectRoot;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench control-log}. */
@Command(
    name = "control-log",
    mixinStandardHelpOptions = true,
    description = "Throughput, latency and elections of three controllers.")
public final class ControlLogCommand implements Callable<Integer> {
  private static final Duration FAILURE_TIMEOUT = Duration.ofMillis(500);
  private static final int WARM_UP_WINDOWS_MAX = 40;
  private static final int STEADY_WINDOWS = 3;
  private static final double STEADY = 1.05;
  private static final int[] SINGLE_SUBMITTERS = {1, 64};

  @Mixin private RunOptions run = new RunOptions();

  @Option(names = "--message-bytes", description = "Default: ${DEFAULT-VALUE}.")
  private int messageBytes = 256;

  @Option(names = "--submitters", description = "At full rate. Default: ${DEFAULT-VALUE}.")
  private int submitters = 16;

  @Option(
      names = "--latency-submitters",
      description = "At 10,000 messages a second. Default: ${DEFAULT-VALUE}.")
  private int latencySubmitters = 2;

  @Option(names = "--batch", description = "Messages in a request. Default: ${DEFAULT-VALUE}.")
  private int batch = 256;

  @Option(names = "--rounds", description = "Default: ${DEFAULT-VALUE}.")
  private int rounds = 7;

  @Option(
      names = "--etcd",
      description = "Also measures etcd, which bench/peers/etcd/install.sh builds.")
  private boolean etcd;

  @Override
  public Integer call() throws IOException {
    Optional<EtcdPrograms> peer =
        etcd ? Optional.of(EtcdPrograms.find(ProjectRoot.find())) : Optional.empty();
    Path directory = run.newDirectory("control-log");
    Table table = new Table("", "in memory", "on disk");
    try (ControllerProcesses memory =
        new ControllerProcesses(directory.resolve("memory"), false, FAILURE_TIMEOUT)) {
      try (ControllerProcesses disk =
          new ControllerProcesses(directory.resolve("disk"), true, FAILURE_TIMEOUT)) {
        compare(table, memory, disk);
      }
    }
    elections(table, directory);
    String single = singleMessages(directory, peer);
    String report =
        """
        - Machine: %s
        - Java: %s
        - Three controllers and the submitter, each a process of its own, on loopback; messages of %d bytes
        - Full rate: %d requests of %d messages under way; 10,000/s: what is due is sent by %d submitters
        - Medians of %d rounds, with the least and the greatest; both sides take turns, each after it was warmed up until three windows lay within 5 %%, or 40 windows long

        %s

        Messages a second, on disk, where each has a request of its own, and a submitter waits for it before it sends the next:

        %s
        """
            .formatted(
                Machine.describe(),
                Machine.java(),
                messageBytes,
                submitters,
                batch,
                latencySubmitters,
                rounds,
                table,
                single);
    run.publish("control-log", report);
    return 0;
  }

  private void compare(Table table, ControllerProcesses memory, ControllerProcesses disk) {
    double seconds = run.quick() ? 0.5 : 3;
    Load inMemory = new Load(memory, messageBytes);
    Load onDisk = new Load(disk, messageBytes);
    warmUp(() -> inMemory.messagesPerSecond(submitters, batch, seconds));
    warmUp(() -> onDisk.messagesPerSecond(submitters, batch, seconds));
    row(
        table,
        "messages/s at full rate",
        "%,.0f",
        () -> inMemory.messagesPerSecond(submitters, batch, seconds),
        () -> onDisk.messagesPerSecond(submitters, batch, seconds));
    warmUp(() -> latencyMillis(inMemory, seconds));
    warmUp(() -> latencyMillis(onDisk, seconds));
    row(
        table,
        "mean latency at 10,000 messages/s, ms",
        "%.2f",
        () -> latencyMillis(inMemory, seconds),
        () -> latencyMillis(onDisk, seconds));
  }

  /**
   * Runs a window over and over until three in a row differ little, because five processes compile
   * their code first.
   */
  private void warmUp(DoubleSupplier window) {
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < (run.quick() ? 1 : WARM_UP_WINDOWS_MAX) && !steady(values); i++) {
      values.add(window.getAsDouble());
    }
  }

  private static boolean steady(List<Double> values) {
    if (values.size() < STEADY_WINDOWS) {
      return false;
    }
    Spread last = Statistics.spread(values.subList(values.size() - STEADY_WINDOWS, values.size()));
    return last.greatest() <= STEADY * last.least();
  }

  /** Measures messages that do not share a request, beside etcd's puts of the same length. */
  private String singleMessages(Path directory, Optional<EtcdPrograms> peer) throws IOException {
    List<String> columns = new ArrayList<>(List.of("submitters", "controllers"));
    if (peer.isPresent()) {
      columns.add("etcd");
      columns.add("controllers : etcd");
    }
    Table table = new Table(columns.toArray(String[]::new));
    double seconds = run.quick() ? 0.5 : 3;
    try (ControllerProcesses disk =
            new ControllerProcesses(directory.resolve("single"), true, FAILURE_TIMEOUT);
        Members members = new Members(peer, directory.resolve("etcd"))) {
      Load ours = new Load(disk, messageBytes);
      for (int waiting : SINGLE_SUBMITTERS) {
        warmUp(() -> ours.messagesPerSecond(waiting, 1, seconds));
        members.etcd().ifPresent(etcd -> etcd.putsPerSecond(waiting, messageBytes, seconds));
        List<Double> first = new ArrayList<>();
        List<Double> second = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
          first.add(ours.messagesPerSecond(waiting, 1, seconds));
          members
              .etcd()
              .ifPresent(etcd -> second.add(etcd.putsPerSecond(waiting, messageBytes, seconds)));
        }
        List<String> row =
            new ArrayList<>(List.of(Integer.toString(waiting), figure("%,.0f", first)));
        if (!second.isEmpty()) {
          row.add(figure("%,.0f", second));
          row.add(figure("%.2f", ratios(first, second)));
        }
        table.add(row.toArray(String[]::new));
      }
    }
    return table.toString();
  }

  private static List<Double> ratios(List<Double> first, List<Double> second) {
    return IntStream.range(0, first.size()).mapToObj(i -> first.get(i) / second.get(i)).toList();
  }

  /** The members of etcd, if it is measured. */
  private record Members(Optional<EtcdMembers> etcd) implements AutoCloseable {
    Members(Optional<EtcdPrograms> programs, Path directory) {
      this(programs.map(found -> new EtcdMembers(found, directory)));
    }

    @Override
    public void close() {
      etcd.ifPresent(EtcdMembers::close);
    }
  }

  private double latencyMillis(Load load, double seconds) {
    return load.meanLatencyNanos(10_000, latencySubmitters, seconds) / 1e6;
  }

  private void row(
      Table table, String name, String format, DoubleSupplier memory, DoubleSupplier disk) {
    List<Double> first = new ArrayList<>();
    List<Double> second = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      first.add(memory.getAsDouble());
      second.add(disk.getAsDouble());
    }
    table.add(name, figure(format, first), figure(format, second));
  }

  private static String figure(String format, List<Double> values) {
    Spread spread = Statistics.spread(values);
    String all = format + " (" + format + "-" + format + ")";
    return String.format(Locale.ROOT, all, spread.median(), spread.least(), spread.greatest());
  }

  /**
   * Kills the leader and measures the time until another one decides and until a submission is
   * committed.
   */
  private void elections(Table table, Path directory) throws IOException {
    List<Double> elected = new ArrayList<>();
    List<Double> decided = new ArrayList<>();
    try (ControllerProcesses controllers =
        new ControllerProcesses(directory.resolve("elections"), true, FAILURE_TIMEOUT)) {
      for (int i = 0; i < rounds; i++) {
        int leader = controllers.awaitDeciding();
        controllers.order(List.of(new byte[messageBytes]));
        controllers.awaitLevel();
        long killed = System.nanoTime();
        controllers.kill(leader);
        controllers.awaitDeciding();
        elected.add((System.nanoTime() - killed) / 1e6);
        controllers.order(List.of(new byte[messageBytes]));
        decided.add((System.nanoTime() - killed) / 1e6);
        controllers.start(leader);
      }
    }
    String unit = "%.0f";
    table.add(
        "leader killed: another decides after, ms, with a timeout of " + FAILURE_TIMEOUT.toMillis(),
        "",
        figure(unit, elected));
    table.add("leader killed: the next message is committed after, ms", "", figure(unit, decided));
  }
}
