package io.uniserve.node.cli;

import picocli.CommandLine.Option;

/** {@code --help} of every command. */
final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  private boolean requested;
}
