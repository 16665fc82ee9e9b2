package io.uniserve.node.processes;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** The program in JVMs of its own. */
public final class Jvm {
  private static final int PORTS_FROM = 20_000;
  private static final int PORTS = 10_000;

  /** The next port to try. Tests in several JVMs at once begin at different ports. */
  private static final AtomicInteger NEXT_PORT =
      new AtomicInteger(new Random(ProcessHandle.current().pid()).nextInt(PORTS));

  private Jvm() {}

  /** Returns a command of the program, on the class path of the tests, with the given heap. */
  static ProcessBuilder command(int heapMebibytes, String... arguments) {
    String classPath = LoadedBefore.classPath();
    List<String> flags = new ArrayList<>(LoadedBefore.flags());
    flags.add("-Xmx" + heapMebibytes + "m");
    return command(flags, classPath, List.of(arguments));
  }

  /**
   * Returns a command of the program as it is laid out for users, with all of its plug-ins, each of
   * which has a class loader of its own.
   */
  static ProcessBuilder installed(int heapMebibytes, String... arguments) {
    Path home = Path.of("..", "node", "target", "dist").toAbsolutePath().normalize();
    if (!Files.isDirectory(home.resolve("plugins"))) {
      throw new IllegalStateException("the program is not built in " + home);
    }
    List<String> flags =
        List.of(
            "-Duniserve.home=" + home,
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "-Xmx" + heapMebibytes + "m");
    return command(flags, home.resolve("lib") + File.separator + "*", List.of(arguments));
  }

  /** Returns the same on another class path, with further flags of the JVM. */
  static ProcessBuilder command(List<String> flags, String classPath, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:MetaspaceSize=256m",
            "-Xss8m",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-cp",
            classPath,
            "io.uniserve.node.Uniserve"));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  /**
   * Returns a port at which nobody listens now. It is below the range from which the system assigns
   * ports, so no other connection takes it before the process listens there, or while the process
   * is down.
   */
  public static int freePort() {
    return freePorts(1);
  }

  /** Returns the first of the given number of consecutive ports of this kind. */
  static int freePorts(int count) {
    for (int i = 0; i < PORTS / count; i++) {
      int first = PORTS_FROM + NEXT_PORT.getAndUpdate(next -> (next + count) % PORTS);
      if (IntStream.range(first, first + count).allMatch(Jvm::isFree)) {
        return first;
      }
    }
    throw new IllegalStateException("no free port from " + PORTS_FROM + " on");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
