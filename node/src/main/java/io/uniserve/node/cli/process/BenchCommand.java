package io.uniserve.node.cli.process;

import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.cli.option.OtherProgram;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command that runs benchmarks. */
@Command(name = "bench", description = "Runs a benchmark; without a name, lists them.")
public final class BenchCommand implements Callable<Integer> {
  @Mixin private HelpOption help;

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Its name and its own arguments.")
  private String[] arguments = {};

  @Override
  public Integer call() throws Exception {
    OtherProgram.run("benchmarks", "io.uniserve.bench.Bench", arguments);
    return 0;
  }
}
