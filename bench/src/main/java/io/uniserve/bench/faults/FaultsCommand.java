package io.uniserve.bench.faults;

import io.uniserve.api.Consistency;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.base.ProjectRoot;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.DocsSection;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import io.uniserve.bench.systems.NodeProcesses;
import io.uniserve.testkit.tools.Hosts;
import io.uniserve.testkit.tools.Namespaces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench faults}. */
@Command(
    name = "faults",
    mixinStandardHelpOptions = true,
    description =
        "How long writers and readers of each level wait around each fault of processes and"
            + " network. --docs writes docs/faults.md. Ends with 1 if anything is lost, doubled or"
            + " stale.")
public final class FaultsCommand implements Callable<Integer> {
  private static final int CONTROLLERS = 3;
  private static final int SERVERS = 3;

  @Mixin private RunOptions run = new RunOptions();

  @Option(names = "--repetitions", description = "Of each fault. Default: ${DEFAULT-VALUE}.")
  private int repetitions = 3;

  @Option(
      names = "--only",
      paramLabel = "FAULT",
      split = ",",
      description = "Default: all of ${COMPLETION-CANDIDATES}.")
  private List<Fault> only = List.of();

  /** The outcomes for the clients of every table, one for each occurrence of a fault. */
  private final Map<Fault, List<Map<Consistency, TableLoad.Outcome>>> seen =
      new EnumMap<>(Fault.class);

  @Override
  public Integer call() throws IOException {
    Optional<Namespaces> network = network();
    try (Hosts hosts = network.map(Hosts.class::cast).orElse(Hosts.LOOPBACK);
        NodeProcesses cluster =
            NodeProcesses.start(run.newDirectory("faults"), hosts, CONTROLLERS, SERVERS)) {
      List<TableLoad> loads = new ArrayList<>();
      try {
        for (Consistency level : Consistency.values()) {
          loads.add(new TableLoad(cluster, level));
        }
        for (int i = 0; i < (run.quick() ? 1 : repetitions); i++) {
          for (Fault fault : faults(network)) {
            happen(fault, cluster, network, loads);
          }
        }
        loads.forEach(TableLoad::check);
      } finally {
        loads.forEach(TableLoad::close);
      }
    }
    String report = report();
    System.out.println(report);
    if (run.docs()) {
      DocsSection.replace(ProjectRoot.find().resolve("docs/faults.md"), "faults", report);
    }
    return stale() == 0 ? 0 : 1;
  }

  private static Optional<Namespaces> network() {
    try {
      return Optional.of(Namespaces.create());
    } catch (IOException e) {
      System.err.println("Nobody is cut off: " + e.getMessage());
      return Optional.empty();
    }
  }

  private List<Fault> faults(Optional<Namespaces> network) {
    List<Fault> wanted = only.isEmpty() ? List.of(Fault.values()) : only;
    if (network.isEmpty() && !only.isEmpty() && only.stream().anyMatch(Fault::needsNetwork)) {
      throw new BenchException("This machine or user cannot cut off processes");
    }
    return wanted.stream().filter(fault -> network.isPresent() || !fault.needsNetwork()).toList();
  }

  private void happen(
      Fault fault, NodeProcesses cluster, Optional<Namespaces> network, List<TableLoad> loads)
      throws IOException {
    Fault.awaitRecovered(cluster);
    loads.forEach(TableLoad::awaitWork);
    loads.forEach(TableLoad::take);
    fault.happen(cluster, network);
    Fault.awaitRecovered(cluster);
    loads.forEach(TableLoad::awaitWork);
    Map<Consistency, TableLoad.Outcome> outcomes = new EnumMap<>(Consistency.class);
    loads.forEach(load -> outcomes.put(load.level(), load.take()));
    seen.computeIfAbsent(fault, any -> new ArrayList<>()).add(outcomes);
    System.err.println(fault.description);
    outcomes.forEach(FaultsCommand::tell);
  }

  private static void tell(Consistency level, TableLoad.Outcome outcome) {
    System.err.printf(
        Locale.ROOT,
        "  %s: %s; %s%n",
        level.name().toLowerCase(Locale.ROOT),
        told("writes", outcome.writes()),
        told("reads", outcome.reads()));
    List<String> failures = outcome.writes().and(outcome.reads()).failures();
    failures.stream().distinct().limit(3).forEach(failure -> System.err.println("    " + failure));
  }

  private static String told(String what, Waits waits) {
    return String.format(
        Locale.ROOT,
        "%,d %s, longest %.0f ms, %d failed, %d stale",
        waits.requests(),
        what,
        waits.longestMillis(),
        waits.failures().size(),
        waits.stale());
  }

  private long stale() {
    return seen.values().stream()
        .flatMap(List::stream)
        .flatMap(outcomes -> outcomes.values().stream())
        .mapToLong(outcome -> outcome.reads().stale())
        .sum();
  }

  private String report() {
    Table table =
        new Table(
            "fault",
            "for",
            "eventual writes",
            "serializable",
            "snapshot",
            "ordered",
            "reads",
            "failed writes",
            "failed reads",
            "stale reads");
    seen.forEach((fault, times) -> table.add(row(fault, times)));
    return """
    - Machine: %s
    - %d processes with 384 MiB of heap each: %d controllers, %d servers, a gateway; a search table of each level, 4 actors, 2 copies
    - two clients that add documents and two that count them for each table, over HTTP, each with 100 ms between two requests; an attempt that fails is repeated with the same key
    - each fault %d times: median (greatest) of the longest time that a request took, in seconds, with all its attempts; failed attempts, all of them retryable; nothing was lost or doubled

    %s
    """
        .formatted(
            Machine.describe(),
            CONTROLLERS + SERVERS + 1,
            CONTROLLERS,
            SERVERS,
            run.quick() ? 1 : repetitions,
            table);
  }

  private static String[] row(Fault fault, List<Map<Consistency, TableLoad.Outcome>> times) {
    List<String> cells = new ArrayList<>();
    cells.add(fault.description);
    cells.add(fault.seconds == 0 ? "" : fault.seconds + " s");
    for (Consistency level : Consistency.values()) {
      cells.add(seconds(times, outcomes -> outcomes.get(level).writes().longestMillis()));
    }
    cells.add(seconds(times, outcomes -> reads(outcomes).longestMillis()));
    cells.add(number(times, outcomes -> writes(outcomes).failures().size()));
    cells.add(number(times, outcomes -> reads(outcomes).failures().size()));
    cells.add(number(times, outcomes -> reads(outcomes).stale()));
    return cells.toArray(String[]::new);
  }

  private static Waits writes(Map<Consistency, TableLoad.Outcome> outcomes) {
    return outcomes.values().stream().map(TableLoad.Outcome::writes).reduce(Waits.NONE, Waits::and);
  }

  private static Waits reads(Map<Consistency, TableLoad.Outcome> outcomes) {
    return outcomes.values().stream().map(TableLoad.Outcome::reads).reduce(Waits.NONE, Waits::and);
  }

  private static String seconds(
      List<Map<Consistency, TableLoad.Outcome>> times,
      ToDoubleFunction<Map<Consistency, TableLoad.Outcome>> millis) {
    double[] sorted = times.stream().mapToDouble(millis).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f)",
        sorted[sorted.length / 2] / 1e3,
        Arrays.stream(sorted).max().orElseThrow() / 1e3);
  }

  private static String number(
      List<Map<Consistency, TableLoad.Outcome>> times,
      ToDoubleFunction<Map<Consistency, TableLoad.Outcome>> count) {
    return String.format(Locale.ROOT, "%.0f", times.stream().mapToDouble(count).sum());
  }
}
