package io.uniserve.node.scaling;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that starts this program once more. */
final class ThisProgram {
  /** The main class, by name, since it is above all parts of the program. */
  static final String MAIN_CLASS = "io.uniserve.node.Uniserve";

  private ThisProgram() {}

  /** Returns the command, with the JVM's options, without arguments. */
  static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> !option.startsWith("-agentlib:") && !option.startsWith("-javaagent:"))
        .forEach(command::add);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(MAIN_CLASS);
    return command;
  }
}
