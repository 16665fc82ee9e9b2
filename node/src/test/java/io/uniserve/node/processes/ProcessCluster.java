package io.uniserve.node.processes;

import io.uniserve.api.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Routers, servers and a gateway, each a JVM of its own, on loopback. */
final class ProcessCluster implements AutoCloseable {
  private final Path directory;
  private final Map<String, Process> processes = new LinkedHashMap<>();
  private final List<String> routers = new ArrayList<>();
  private final int http = Jvm.freePort();

  private ProcessCluster(Path directory) {
    this.directory = directory;
  }

  /** Starts all processes and waits until the servers have joined. */
  static ProcessCluster start(Path directory, int servers) throws IOException {
    return start(directory, 1, servers);
  }

  /** The same with several routers, named {@code r1} and so on. */
  static ProcessCluster start(Path directory, int routers, int servers) throws IOException {
    ProcessCluster cluster = new ProcessCluster(directory);
    try {
      cluster.startAll(routers, servers);
      return cluster;
    } catch (IOException | RuntimeException | AssertionError e) {
      cluster.close();
      throw e;
    }
  }

  private void startAll(int count, int servers) throws IOException {
    for (int i = 0; i < count; i++) {
      routers.add("127.0.0.1:" + Jvm.freePort());
    }
    for (int i = 1; i <= count; i++) {
      startRouter("r" + i);
    }
    for (int i = 1; i <= servers; i++) {
      startServer("s" + i);
    }
    start("gateway", "roles = gateway", "gateway.listen = 127.0.0.1:" + http);
    await(servers + " servers", cluster -> alive(cluster) == servers);
  }

  /** The name of the router that listens there. */
  String router(String address) {
    return "r" + (routers.indexOf(address) + 1);
  }

  void startRouter(String name) throws IOException {
    start(
        name,
        "roles = router",
        "router.listen = " + routers.get(Integer.parseInt(name.substring(1)) - 1),
        "directory = " + directory.resolve(name));
  }

  void startServer(String name) throws IOException {
    start(
        name,
        "roles = server",
        "server.name = " + name,
        "server.listen = 127.0.0.1:" + Jvm.freePort(),
        "directory = " + directory.resolve(name),
        "store = " + directory.resolve("store").toUri());
  }

  /** Starts a further gateway; returns a client of it. */
  RemoteCluster startGateway(String name) throws IOException {
    int port = Jvm.freePort();
    start(name, "roles = gateway", "gateway.listen = 127.0.0.1:" + port);
    return new RemoteCluster("http://127.0.0.1:" + port);
  }

  private void start(String name, String... settings) throws IOException {
    List<String> lines = new ArrayList<>(List.of(settings));
    lines.add("router = " + String.join(", ", routers));
    Files.write(directory.resolve(name + ".conf"), lines);
    start(name);
  }

  /** Starts a process as it was started before. */
  void start(String name) throws IOException {
    Path config = directory.resolve(name + ".conf");
    File log = directory.resolve(name + ".log").toFile();
    processes.put(
        name,
        Jvm.command(192, "node", "--config", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start());
  }

  /** A client of the gateway. */
  RemoteCluster connect() {
    return new RemoteCluster("http://127.0.0.1:" + http);
  }

  /** Asks a process to end, and waits until it has. */
  void terminate(String name) {
    Process process = processes.remove(name);
    process.destroy();
    process.onExit().join();
  }

  /** {@code kill -9}. */
  void kill(String name) {
    processes.remove(name).destroyForcibly().onExit().join();
  }

  /** Waits until the cluster, as the gateway tells it, is so. */
  void await(String what, Predicate<Map<String, Object>> condition) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    try (RemoteCluster remote = connect()) {
      while (!holds(remote, condition)) {
        if (System.nanoTime() > end || !processes.values().stream().allMatch(Process::isAlive)) {
          throw new AssertionError("waited in vain for " + what + "; logs: " + logs());
        }
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
  }

  private static boolean holds(RemoteCluster remote, Predicate<Map<String, Object>> condition) {
    try {
      return condition.test(remote.get("/api/cluster"));
    } catch (UniserveException e) {
      return false; // the gateway does not listen yet
    }
  }

  private String logs() {
    StringBuilder logs = new StringBuilder();
    for (String name : processes.keySet()) {
      try {
        logs.append("\n--- ").append(name).append('\n');
        logs.append(Files.readString(directory.resolve(name + ".log")));
      } catch (IOException e) {
        logs.append(e);
      }
    }
    return logs.toString();
  }

  static long alive(Map<String, Object> cluster) {
    return new Settings("the cluster", cluster)
        .list("servers").stream()
            .filter(server -> Boolean.TRUE.equals(((Map<?, ?>) server).get("alive")))
            .count();
  }

  @Override
  public void close() {
    processes.values().forEach(Process::destroyForcibly);
    processes.values().forEach(process -> process.onExit().join());
  }
}
