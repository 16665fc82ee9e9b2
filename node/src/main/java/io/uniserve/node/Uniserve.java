package io.uniserve.node;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line of Uniserve. A command's exit status is 0 for success and 2 for wrong usage. */
@Command(
    name = "uniserve",
    description = "Serves queries from a cluster of single-node engines.",
    mixinStandardHelpOptions = true,
    versionProvider = Uniserve.Version.class)
public final class Uniserve implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private Uniserve() {}

  /** Runs the command that the arguments name and exits with its status. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Uniserve()).execute(arguments));
  }

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }

  /** Reads the version from the manifest of the distribution. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Uniserve.class.getPackage().getImplementationVersion();
      return new String[] {"uniserve " + (version == null ? "(not packaged)" : version)};
    }
  }
}
