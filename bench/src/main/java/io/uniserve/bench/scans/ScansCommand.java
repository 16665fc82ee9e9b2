package io.uniserve.bench.scans;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import io.uniserve.bench.scans.Experiment.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench scans}. */
@Command(
    name = "scans",
    mixinStandardHelpOptions = true,
    description = "Adaptive scans by clients of chosen rates, beside the paper's figures.")
public final class ScansCommand implements Callable<Integer> {
  private static final List<Experiment> EXPERIMENTS =
      List.of(
          new ClientRates(),
          new EqualClients(),
          new SlowAndFast(),
          new LengthPolicies(),
          new Priorities(),
          new PointReads(),
          new FirstRows(),
          new LargeExport());

  private static final double QUICK_SPEED = 200;

  @Mixin private RunOptions run = new RunOptions();

  @Option(
      names = "--figures",
      split = ",",
      paramLabel = "NAME",
      description = "Only these of 6 (with 7), 8, 9, 10, 12, 5.5, first, export.")
  private List<String> figures = List.of();

  @Option(
      names = "--speed",
      description =
          "Ranges are shorter than the paper's by this factor. Default: ${DEFAULT-VALUE}.")
  private double speed = 10;

  @Override
  public Integer call() {
    List<Experiment> chosen = chosen();
    Path directory = run.newDirectory("scans");
    Conditions conditions =
        new Conditions(directory, run.quick() ? QUICK_SPEED : speed, run.quick());
    Map<String, Result> results = new LinkedHashMap<>();
    for (Experiment experiment : chosen) {
      System.err.println("figure " + experiment.name() + " ...");
      results.put(experiment.name(), experiment.run(conditions));
      JsonFile.write(directory.resolve("scans.json"), results);
    }
    run.publish("scans", report(new ArrayList<>(results.values()), conditions));
    return 0;
  }

  private List<Experiment> chosen() {
    List<String> known = EXPERIMENTS.stream().map(Experiment::name).toList();
    for (String name : figures) {
      if (!known.contains(name)) {
        throw new BenchException(
            "There is no figure '%s'; there are %s".formatted(name, String.join(", ", known)));
      }
    }
    return EXPERIMENTS.stream()
        .filter(each -> figures.isEmpty() || figures.contains(each.name()))
        .toList();
  }

  private static String report(List<Result> results, Conditions conditions) {
    Table claims = new Table("figure", "the paper", "here", "");
    for (Result result : results) {
      for (Claim claim : result.claims()) {
        claims.add(claim.figure(), claim.text(), claim.found(), claim.verdict());
      }
    }
    return String.format(
        Locale.ROOT,
        """
        - Machine: %s
        - Java: %s; %d servers with a slot each in one process, a table of %d partitions
        - A server reads 250 KB of results a second, as the paper's did. Ranges are shorter by a factor of %.0f, so a partition takes %.1f s \
        (half of that in figure 12, a quarter in figure 10)
        - Clients consume at the rates that they are given; each scan was found to give every record once

        %s

        %s
        """,
        Machine.describe(),
        Machine.java(),
        PacedTable.SERVERS,
        PacedTable.PARTITIONS,
        conditions.speed(),
        conditions.partitionSeconds(),
        claims,
        results.stream().map(Result::section).collect(Collectors.joining("\n\n")));
  }
}
