package io.uniserve.bench.systems;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The program as users start it: {@code ./uniserve start}, an embedded cluster in one process, and
 * the commands that talk to it.
 */
public final class UniserveProgram implements AutoCloseable {

  private static final int SERVERS = 4;
  private static final String READY = "Cluster of ";

  private final Path script;
  private final Path logs;
  private final ChildProcess process;
  private final InetSocketAddress address;

  private UniserveProgram(Path script, Path logs, ChildProcess process) {
    this.script = script;
    this.logs = logs;
    this.process = process;
    String ready = process.awaitLine(READY);
    int port = Integer.parseInt(ready.substring(ready.lastIndexOf(':') + 1));
    this.address = new InetSocketAddress("127.0.0.1", port);
  }

  /**
   * Starts a cluster of four servers.
   *
   * @param directory the directory for its data and logs
   * @param heap the largest heap, such as {@code 2g}
   */
  public static UniserveProgram start(Path projectRoot, Path directory, String heap) {
    return start(projectRoot, directory, heap, Map.of());
  }

  /**
   * Starts the same with further variables of its environment.
   *
   * @param directory the directory for its data and logs
   * @param heap the largest heap, such as {@code 2g}
   */
  public static UniserveProgram start(
      Path projectRoot, Path directory, String heap, Map<String, String> environment) {
    Map<String, String> variables = new LinkedHashMap<>(environment);
    variables.put("UNISERVE_OPTS", "-Xmx" + heap);
    Path script = projectRoot.resolve("uniserve");
    List<String> command =
        List.of(
            script.toString(),
            "start",
            "--dir",
            data(directory).toString(),
            "--servers",
            Integer.toString(SERVERS),
            "--http",
            "0");
    ChildProcess process =
        ChildProcess.start("Uniserve", command, variables, directory.resolve("uniserve.log"));
    try {
      return new UniserveProgram(script, directory, process);
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  /** Runs another command of the program on this cluster and waits for its success. */
  public void run(String command, String... arguments) {
    List<String> whole = new ArrayList<>(List.of(script.toString(), command));
    whole.addAll(List.of(arguments));
    whole.addAll(List.of("--url", "http://127.0.0.1:" + address.getPort()));
    Path log = logs.resolve("uniserve-" + command + ".log");
    try (ChildProcess child = ChildProcess.start("uniserve " + command, whole, log)) {
      child.awaitSuccess();
    }
  }

  /** Returns the directory of its data. */
  Path data() {
    return data(logs);
  }

  private static Path data(Path directory) {
    return directory.resolve("uniserve");
  }

  public long processId() {
    return process.processId();
  }

  /** Returns the address of the HTTP interface. */
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    process.close();
  }
}
