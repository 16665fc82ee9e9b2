package io.uniserve.node.processes;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.testkit.tools.Hosts;
import io.uniserve.testkit.tools.SmallDisk;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Controllers, servers and a gateway, each a JVM of its own, on loopback. */
final class ProcessCluster implements AutoCloseable {
  /** The longest wait, suited to a machine that is busy with other work. */
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  /** The largest number of servers that controllers can start. */
  private static final int SCALED_MAX = 10;

  private final Path directory;
  private final Hosts hosts;
  private final Map<String, Process> processes = new LinkedHashMap<>();
  private final List<String> controllers = new ArrayList<>();
  private final int http = Jvm.freePort();
  private final List<String> controllerSettings = new ArrayList<>();
  private final Map<String, SmallDisk> disks = new LinkedHashMap<>();
  private String store;
  private boolean installed;

  private ProcessCluster(Path directory, Hosts hosts) {
    this.directory = directory;
    this.hosts = hosts;
    store = directory.resolve("store").toUri().toString();
  }

  /** Starts all processes and waits until the servers have joined. */
  static ProcessCluster start(Path directory, int servers) throws IOException {
    return start(directory, 1, servers);
  }

  /** Starts all processes with settings of its controller. */
  static ProcessCluster start(Path directory, int servers, List<String> controllerSettings)
      throws IOException {
    ProcessCluster cluster = new ProcessCluster(directory, Hosts.LOOPBACK);
    cluster.controllerSettings.addAll(controllerSettings);
    return cluster.started(1, servers);
  }

  /** Starts all processes of the program as it is laid out for users, with all of its plug-ins. */
  static ProcessCluster startInstalled(Path directory, int servers) throws IOException {
    ProcessCluster cluster = new ProcessCluster(directory, Hosts.LOOPBACK);
    cluster.installed = true;
    return cluster.started(1, servers);
  }

  /** Starts all processes with several controllers, named {@code r1} and so on. */
  static ProcessCluster start(Path directory, int controllers, int servers) throws IOException {
    return start(directory, Hosts.LOOPBACK, controllers, servers);
  }

  /** Starts all processes with processes on other hosts. The caller closes the hosts. */
  static ProcessCluster start(Path directory, Hosts hosts, int controllers, int servers)
      throws IOException {
    return new ProcessCluster(directory, hosts).started(controllers, servers);
  }

  /** Starts controllers and a gateway. Each controller starts and ends servers as it decides. */
  static ProcessCluster startScaled(Path directory, int controllers) throws IOException {
    ProcessCluster cluster = new ProcessCluster(directory, Hosts.LOOPBACK);
    int port = Jvm.freePorts(SCALED_MAX);
    cluster.controllerSettings.addAll(
        List.of(
            "scale.provider = process",
            "scale.template = " + directory.resolve("template"),
            "scale.directory = " + directory.resolve("servers"),
            "scale.ports = " + port + "-" + (port + SCALED_MAX - 1)));
    cluster.started(controllers, 0);
    try {
      cluster.writeTemplate();
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  private void writeTemplate() throws IOException {
    Files.write(
        directory.resolve("template"),
        List.of(
            "roles = server",
            "controller = " + String.join(", ", controllers),
            "server.name = {name}",
            "server.listen = 127.0.0.1:{port}",
            "directory = " + directory.resolve("data-{name}"),
            "store = " + store));
  }

  /**
   * Starts all processes with another durable store. Each server has a small disk of its own, if
   * the machine allows that.
   */
  static ProcessCluster startOnSmallDisks(
      Path directory, Hosts hosts, int controllers, int servers, int mebibytes, URI store)
      throws IOException {
    ProcessCluster cluster = new ProcessCluster(directory, hosts);
    cluster.store = store.toString();
    try {
      for (int i = 1; i <= servers; i++) {
        String name = "s" + i;
        SmallDisk.ifPossible(cluster.data(name), mebibytes)
            .ifPresent(disk -> cluster.disks.put(name, disk));
      }
      return cluster.started(controllers, servers);
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  private ProcessCluster started(int count, int servers) throws IOException {
    try {
      startAll(count, servers);
      return this;
    } catch (IOException | RuntimeException | AssertionError e) {
      close();
      throw e;
    }
  }

  private void startAll(int count, int servers) throws IOException {
    for (int i = 1; i <= count; i++) {
      controllers.add(hosts.address("r" + i) + ":" + Jvm.freePort());
    }
    for (int i = 1; i <= count; i++) {
      startController("r" + i);
    }
    for (int i = 1; i <= servers; i++) {
      startServer("s" + i);
    }
    start("gateway", "roles = gateway", "gateway.listen = 127.0.0.1:" + http);
    await(servers + " servers", cluster -> alive(cluster) == servers);
  }

  /** Returns the name of the controller that listens at an address. */
  private String controller(String address) {
    return "r" + (controllers.indexOf(address) + 1);
  }

  void startController(String name) throws IOException {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "roles = controller",
                "controller.listen = " + address(name),
                "directory = " + directory.resolve(name)));
    lines.addAll(controllerSettings);
    start(name, lines.toArray(String[]::new));
  }

  void startServer(String name) throws IOException {
    start(
        name,
        "roles = server",
        "server.name = " + name,
        "server.listen = " + hosts.address(name) + ":" + Jvm.freePort(),
        "directory = " + directory.resolve(name),
        "store = " + store);
  }

  /** Starts a further gateway and returns a client of it. */
  RemoteCluster startGateway(String name) throws IOException {
    int port = Jvm.freePort();
    start(name, "roles = gateway", "gateway.listen = 127.0.0.1:" + port);
    return new RemoteCluster("http://127.0.0.1:" + port);
  }

  private void start(String name, String... settings) throws IOException {
    List<String> lines = new ArrayList<>(List.of(settings));
    lines.add("controller = " + String.join(", ", controllers));
    lines.add("insecure = " + (hosts != Hosts.LOOPBACK));
    Files.write(directory.resolve(name + ".conf"), lines);
    start(name);
  }

  /** Starts a process in the same way as before. */
  void start(String name) throws IOException {
    Path config = directory.resolve(name + ".conf");
    File log = directory.resolve(name + ".log").toFile();
    ProcessBuilder program =
        installed
            ? Jvm.installed(384, "node", "--config", config.toString())
            : Jvm.command(192, "node", "--config", config.toString());
    program.command().addAll(0, hosts.commandPrefix(name));
    program.environment().put("AWS_ACCESS_KEY_ID", "tester");
    program.environment().put("AWS_SECRET_ACCESS_KEY", "not-a-secret");
    processes.put(
        name,
        program
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start());
  }

  /** Returns the data directory of a server. */
  Path data(String server) {
    return directory.resolve(server);
  }

  /** Returns the server's own disk. */
  SmallDisk disk(String server) {
    return disks.get(server);
  }

  /** Returns whether each server's data are on a disk of their own that can be filled. */
  boolean hasSmallDisks() {
    return !disks.isEmpty();
  }

  /** Returns whether the process was started and neither ended nor killed since. */
  boolean runs(String name) {
    return processes.containsKey(name);
  }

  /** Returns the processes that were started and neither ended nor killed since. */
  List<String> names() {
    return List.copyOf(processes.keySet());
  }

  /** Returns the identifier of a process. */
  long pid(String name) {
    return processes.get(name).pid();
  }

  /** Returns a new client of the gateway. */
  RemoteCluster connect() {
    return new RemoteCluster(url());
  }

  /** Returns the address of the gateway. */
  String url() {
    return "http://127.0.0.1:" + http;
  }

  /** Starts a further controller, which is not a member yet, and returns its address. */
  String addController(String name) throws IOException {
    int port = Jvm.freePort();
    controllers.add(hosts.address(name) + ":" + port);
    startController(name);
    await(name + ", which listens", state -> listens(hosts, name, port));
    return controllers.getLast();
  }

  private static boolean listens(Hosts hosts, String name, int port) {
    try (Socket socket = new Socket(hosts.address(name), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the addresses of the controllers. */
  List<String> controllers() {
    return List.copyOf(controllers);
  }

  /** Returns the address of a controller. */
  String address(String controller) {
    return controllers.get(Integer.parseInt(controller.substring(1)) - 1);
  }

  /** Asks a process to end, and waits until it has. */
  void terminate(String name) {
    Process process = processes.remove(name);
    process.destroy();
    process.onExit().join();
  }

  /** Kills a process with {@code kill -9}. */
  void kill(String name) {
    processes.remove(name).destroyForcibly().onExit().join();
  }

  /** Waits until the state of the cluster, as the gateway reports it, meets a condition. */
  void await(String what, Predicate<Map<String, Object>> condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
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

  /** Fails if a process has ended that this test did not end. */
  void requireAllRun() {
    processes.forEach(
        (name, process) -> {
          if (!process.isAlive()) {
            throw new AssertionError(name + " ended by itself with " + process.exitValue());
          }
        });
  }

  /** Copies the logs of the processes to another directory, which exists. */
  void keepLogs(Path to) throws IOException {
    for (String name : processes.keySet()) {
      Path log = Path.of(name + ".log");
      Files.copy(directory.resolve(log), to.resolve(log), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Drops all tables. */
  static void dropTables(RemoteCluster remote) {
    for (Object table : new Settings("the cluster", remote.get("/api/cluster")).list("tables")) {
      remote.delete("/api/tables/" + ((Map<?, ?>) table).get("name"));
    }
  }

  static long alive(Map<String, Object> cluster) {
    return new Settings("the cluster", cluster)
        .list("servers").stream()
            .filter(server -> Boolean.TRUE.equals(((Map<?, ?>) server).get("alive")))
            .count();
  }

  /** Returns whether every copy of every actor serves. */
  static boolean ready(Map<String, Object> cluster) {
    return new Settings("cluster", cluster)
        .list("tables").stream()
            .flatMap(table -> new Settings("a table", table).list("assignment").stream())
            .allMatch(
                actor ->
                    new Settings("an actor", actor)
                        .object("copies").values().stream().allMatch("ready"::equals));
  }

  /** Returns the number of controllers that answer and vote. */
  static long voting(RemoteCluster remote) {
    return controllers(remote).stream()
        .filter(controller -> Boolean.TRUE.equals(controller.get("alive")))
        .filter(controller -> Boolean.TRUE.equals(controller.get("voting")))
        .count();
  }

  private static List<Map<?, ?>> controllers(RemoteCluster remote) {
    List<Map<?, ?>> controllers = new ArrayList<>();
    new Settings("controllers", remote.get("/api/controllers"))
        .list("controllers")
        .forEach(controller -> controllers.add((Map<?, ?>) controller));
    return controllers;
  }

  /** Returns the name of the controller that leads, once there is one. */
  String leader(RemoteCluster remote) {
    List<String> found = new ArrayList<>();
    await(
        "a leader",
        state -> {
          deciding(remote).ifPresent(found::add);
          return !found.isEmpty();
        });
    return controller(found.getFirst());
  }

  private static Optional<String> deciding(RemoteCluster remote) {
    return controllers(remote).stream()
        .filter(controller -> Boolean.TRUE.equals(controller.get("decides")))
        .map(controller -> (String) controller.get("address"))
        .findFirst();
  }

  @Override
  public void close() {
    processes.values().forEach(Process::destroyForcibly);
    processes.values().forEach(process -> process.onExit().join());
    disks.values().forEach(SmallDisk::close);
  }
}
