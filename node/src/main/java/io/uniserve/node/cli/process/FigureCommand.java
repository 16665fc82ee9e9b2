package io.uniserve.node.cli.process;

import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.simulation.figure.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that makes the figures of the papers on placement and on scans in simulation. */
@Command(
    name = "figure",
    description =
        "Makes figures of the papers on placement and scans in simulation; without a name, lists them.")
public final class FigureCommand implements Callable<Integer> {
  @Mixin private HelpOption help;
  @Spec private CommandSpec command;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = "Which figures; placement, scans, or all.")
  private List<String> names = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where to write. Default: ${DEFAULT-VALUE}.")
  private String directory = "build/figures";

  @Option(
      names = "--trials",
      paramLabel = "N",
      description = "Random trials for each point. Default: ${DEFAULT-VALUE}.")
  private int trials = 20;

  @Option(
      names = "--queries",
      paramLabel = "N",
      description = "Queries of each run of placement. Default: ${DEFAULT-VALUE}.")
  private int queries = 200_000;

  @Option(names = "--small", description = "A smoke run that proves nothing.")
  private boolean small;

  @Override
  public Integer call() {
    if (names.isEmpty()) {
      System.out.print(Figures.usage());
      return 0;
    }
    List<String> figures = Figures.names();
    for (String name : names) {
      if (!figures.contains(name)) {
        throw new ParameterException(
            command.commandLine(),
            "there is no figure '" + name + "'; there are " + String.join(", ", figures));
      }
    }
    List<String> arguments = new ArrayList<>(names);
    arguments.addAll(
        List.of("--out", directory, "--trials", "" + trials, "--queries", "" + queries));
    if (small) {
      arguments.add("--small");
    }
    return Figures.run(System.out, arguments.toArray(String[]::new));
  }
}
