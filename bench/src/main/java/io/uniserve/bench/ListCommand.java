package io.uniserve.bench;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code bench list}: lists the benchmarks, one per line. */
@Command(name = "list", mixinStandardHelpOptions = true, description = "List the benchmarks.")
public final class ListCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine bench = spec.commandLine().getParent();
    bench
        .getSubcommands()
        .forEach(
            (name, command) -> {
              if (command != spec.commandLine()) {
                String[] description = command.getCommandSpec().usageMessage().description();
                spec.commandLine()
                    .getOut()
                    .printf("%-10s %s%n", name, String.join(" ", description));
              }
            });
    return 0;
  }
}
