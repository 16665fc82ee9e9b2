package io.uniserve.node.processes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program in JVMs of its own. */
final class Jvm {
  private Jvm() {}

  /** A command of the program, on the class path of the tests, with so much heap. */
  static ProcessBuilder command(int heapMebibytes, String... arguments) {
    String classPath = LoadedBefore.classPath();
    List<String> flags = new ArrayList<>(LoadedBefore.flags());
    flags.add("-Xmx" + heapMebibytes + "m");
    return command(flags, classPath, List.of(arguments));
  }

  /** The same on another class path, with further flags of the JVM. */
  static ProcessBuilder command(List<String> flags, String classPath, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            classPath,
            "io.uniserve.node.Uniserve"));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  /** A port that nobody listens at now. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
