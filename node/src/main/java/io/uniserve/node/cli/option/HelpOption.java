package io.uniserve.node.cli.option;

import picocli.CommandLine.Option;

/** {@code --help} of every command. */
public final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  private boolean requested;
}
