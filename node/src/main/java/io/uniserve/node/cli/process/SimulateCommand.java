package io.uniserve.node.cli.process;

import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.cli.option.LogOptions;
import io.uniserve.node.cli.option.Logged;
import io.uniserve.simulation.run.Scenario;
import io.uniserve.simulation.search.Scenarios;
import io.uniserve.simulation.search.Simulate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** The command that plays simulated clusters. */
@Command(name = "simulate", description = "Plays simulated clusters under faults.")
public final class SimulateCommand implements Callable<Integer> {
  @ParentCommand private Logged program;
  @Mixin private HelpOption help;
  @Spec private CommandSpec command;

  @Option(names = "--scenario", paramLabel = "NAME", description = "Which scenario.")
  private String scenario;

  @Option(names = "--seed", paramLabel = "N", description = "The first seed. Default: 0.")
  private long seed;

  @Option(
      names = "--seeds",
      paramLabel = "COUNT",
      description = "How many seeds, one after another. Default: ${DEFAULT-VALUE}.")
  private long seeds = 1;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "Plays seeds until so much time is up, however many.")
  private Long minutes;

  @Option(names = "--run", paramLabel = "FILE", description = "Plays the run of a file.")
  private Path run;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "Writes the run of the first seed to a file, and plays it.")
  private Path save;

  @Option(
      names = "--runs",
      paramLabel = "DIRECTORY",
      description = "Where failing runs are written. Default: failed-runs.")
  private Path runs;

  @Option(
      names = "--shrink",
      paramLabel = "SECONDS",
      description = "For how long a failing run is made smaller; 0: not at all. Default: 60.")
  private Long shrink;

  @Option(
      names = "--controllers",
      paramLabel = "N",
      description = "Of scenario scale: how many controllers, 1 or 3.")
  private Integer controllers;

  @Option(names = "--routers", hidden = true, description = "The former name of --controllers.")
  private Integer routers;

  @Option(
      names = "--servers",
      paramLabel = "N",
      description = "Of scenario scale: how many servers at the peak.")
  private Integer servers;

  @Option(names = "--actors", paramLabel = "N", description = "Of scenario scale: how many actors.")
  private Integer actors;

  @Option(
      names = "--hours",
      paramLabel = "H",
      description = "Of scenario scale: how many hours the day of load has.")
  private Double hours;

  @Option(names = "--all", description = "Goes on after a seed that fails, and counts.")
  private boolean all;

  @Option(names = "--trace", description = "Prints what happens, as it happens.")
  private boolean trace;

  @Override
  public Integer call() {
    List<String> scenarios = Scenarios.all().stream().map(Scenario::name).toList();
    if (scenario != null && !scenarios.contains(Scenarios.present(scenario))) {
      throw new ParameterException(
          command.commandLine(),
          "there is no scenario '" + scenario + "'; there are " + String.join(", ", scenarios));
    }
    if (!program.log().chatty()) {
      LogOptions.muteSimulated();
    }
    List<String> arguments = new ArrayList<>(List.of("--seed", "" + seed, "--seeds", "" + seeds));
    addIfGiven("--scenario", scenario, arguments);
    addIfGiven("--minutes", minutes, arguments);
    addIfGiven("--run", run, arguments);
    addIfGiven("--save", save, arguments);
    addIfGiven("--runs", runs, arguments);
    addIfGiven("--shrink", shrink, arguments);
    addIfGiven("--controllers", controllers, arguments);
    addIfGiven("--routers", routers, arguments);
    addIfGiven("--servers", servers, arguments);
    addIfGiven("--actors", actors, arguments);
    addIfGiven("--hours", hours, arguments);
    if (all) {
      arguments.add("--all");
    }
    if (trace) {
      arguments.add("--trace");
    }
    return Simulate.run(System.out, arguments.toArray(String[]::new));
  }

  private static void addIfGiven(String option, Object value, List<String> arguments) {
    if (value != null) {
      arguments.addAll(List.of(option, value.toString()));
    }
  }
}
