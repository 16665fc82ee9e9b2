package io.uniserve.node;

import io.uniserve.node.cli.Program;

/** The program. */
public final class Uniserve {
  private Uniserve() {}

  /** Runs the command that the arguments name and exits with its status. */
  public static void main(String[] arguments) {
    System.exit(Program.run(arguments));
  }
}
