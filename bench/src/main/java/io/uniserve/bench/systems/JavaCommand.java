package io.uniserve.bench.systems;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands that start another program of the benchmark with the same Java and class path. */
public final class JavaCommand {

  private JavaCommand() {}

  /**
   * @param heap the largest heap, such as {@code 2g}
   * @param flags other flags of the JVM
   * @return a list to which the program's arguments may be added
   */
  public static List<String> of(Class<?> program, String heap, String... flags) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    command.addAll(List.of(flags));
    command.add("--add-modules=jdk.incubator.vector");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-Dio.netty.leakDetection.level=disabled");
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    return command;
  }
}
