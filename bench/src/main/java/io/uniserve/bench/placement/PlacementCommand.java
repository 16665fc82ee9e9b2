package io.uniserve.bench.placement;

import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import io.uniserve.policy.placement.BalanceSettings;
import io.uniserve.policy.placement.GetafixPlus;
import io.uniserve.policy.placement.Podp;
import io.uniserve.policy.placement.PodpSettings;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.solvers.MachineCompute;
import io.uniserve.solvers.OrToolsSolver;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench placement}. */
@Command(
    name = "placement",
    mixinStandardHelpOptions = true,
    description = "Time and quality of placement for hundreds of servers.")
public final class PlacementCommand implements Callable<Integer> {

  @Mixin private RunOptions run = new RunOptions();

  @Option(names = "--repetitions", description = "Default: ${DEFAULT-VALUE}.")
  private int repetitions = 5;

  @Option(
      names = "--cores",
      description = "How many sub-problems at once. Default: ${DEFAULT-VALUE}.")
  private int cores = 2;

  @Override
  public Integer call() {
    Table table =
        new Table(
            "servers × actors, queries",
            "policy",
            "first, s",
            "median, s",
            "mean clustering",
            "moves");
    MilpSolver solver = OrToolsSolver.load();
    try (MachineCompute compute = new MachineCompute(cores)) {
      for (PlacementCase one : PlacementCase.all(run.quick())) {
        add(table, one, solver, compute);
      }
    }
    String report =
        """
        - Machine: %s; %d threads
        - Java: %s
        - Ten actors of equal load for each server, in a random fill; one decision after another in one process, %d of each

        %s
        """
            .formatted(Machine.describe(), cores, Machine.java(), repetitions, table);
    run.publish("placement", report);
    return 0;
  }

  private void add(Table table, PlacementCase one, MilpSolver solver, MachineCompute compute) {
    System.err.println(one.name() + " ...");
    PlacementRun packed =
        PlacementRun.of(new GetafixPlus(BalanceSettings.DEFAULT), one.cluster(), repetitions);
    add(table, one, "Getafix+", packed);
    long equalMillis = Math.max(1, Math.round(packed.median() * 1_000));
    Map<String, PlacementPolicy> policies = new LinkedHashMap<>();
    policies.put("PODP", podp(PodpSettings.DEFAULT, solver, compute));
    policies.put(
        "PODP, time of Getafix+",
        podp(
            PodpSettings.DEFAULT.withBalance(BalanceSettings.DEFAULT.withMillisMax(equalMillis)),
            solver,
            compute));
    policies.put("PODP, one problem", podp(PodpSettings.DEFAULT.withParts(1), solver, compute));
    policies.put(
        "PODP, parts stay", podp(new PodpSettings(BalanceSettings.DEFAULT, 0, 0), solver, compute));
    policies.forEach(
        (name, policy) -> {
          System.err.println("  " + name);
          add(table, one, name, PlacementRun.of(policy, one.cluster(), repetitions));
        });
  }

  private static Podp podp(PodpSettings settings, MilpSolver solver, MachineCompute compute) {
    return new Podp(settings, solver, compute);
  }

  private static void add(Table table, PlacementCase one, String policy, PlacementRun run) {
    table.add(
        one.name(),
        policy,
        String.format(Locale.ROOT, "%.2f", run.seconds().getFirst()),
        String.format(Locale.ROOT, "%.2f", run.median()),
        String.format(Locale.ROOT, "%.4f", run.clustering()),
        String.format(Locale.ROOT, "%,d", run.moves()));
  }
}
