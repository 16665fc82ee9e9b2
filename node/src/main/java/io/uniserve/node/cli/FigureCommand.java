package io.uniserve.node.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Makes the figures of the placement paper in simulation. */
@Command(
    name = "figure",
    description = "Makes figures of the placement paper in simulation; without a name, lists them.")
final class FigureCommand implements Callable<Integer> {
  @Mixin private HelpOption help;

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Their names and their options.")
  private String[] arguments = {};

  @Override
  public Integer call() throws Exception {
    OtherProgram.run("simulator", "io.uniserve.simulation.figure.Figures", arguments);
    return 0;
  }
}
