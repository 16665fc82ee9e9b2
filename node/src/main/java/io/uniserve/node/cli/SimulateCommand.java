package io.uniserve.node.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Runs simulated clusters. */
@Command(name = "simulate", description = "Runs simulated clusters under faults.")
final class SimulateCommand implements Callable<Integer> {
  @Mixin private HelpOption help;

  @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "Arguments of the simulation.")
  private String[] arguments = {};

  @Override
  public Integer call() throws Exception {
    OtherProgram.run("simulator", "io.uniserve.simulation.Simulate", arguments);
    return 0;
  }
}
