package io.uniserve.bench.systems;

import io.uniserve.api.Consistency;
import io.uniserve.api.error.UniserveException;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.base.ProjectRoot;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.testkit.tools.Hosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Controllers, servers and a gateway, each a process of its own, which can be killed and stopped.
 */
public final class NodeProcesses implements AutoCloseable {
  /** The way in which processes are started, unless they are to be larger. */
  private static final Starting USUAL = new Starting("384m", Map.of(), List.of(), List.of());

  private static final String GATEWAY = "gateway";
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private final Path directory;
  private final Hosts hosts;
  private final int servers;
  private final Map<String, Process> processes = new LinkedHashMap<>();

  /** The address of each controller, by name. */
  private final Map<String, String> controllers = new LinkedHashMap<>();

  private final int http = freePort();
  private final RemoteCluster remote = new RemoteCluster("http://127.0.0.1:" + http);

  private final Starting starting;

  /**
   * The way in which processes are started.
   *
   * @param heap the largest heap of each
   * @param environment variables of each
   * @param ofControllers settings of controllers
   * @param ofServers settings of servers
   */
  public record Starting(
      String heap,
      Map<String, String> environment,
      List<String> ofControllers,
      List<String> ofServers) {}

  private NodeProcesses(Path directory, Hosts hosts, int servers, Starting starting) {
    this.directory = directory;
    this.hosts = hosts;
    this.servers = servers;
    this.starting = starting;
  }

  /**
   * Starts controllers {@code r1} and so on, servers {@code s1} and so on, and a gateway, and waits
   * until the servers have joined.
   *
   * @param hosts the hosts of controllers and servers; the caller closes them
   */
  public static NodeProcesses start(Path directory, Hosts hosts, int controllers, int servers)
      throws IOException {
    return start(directory, hosts, controllers, servers, USUAL);
  }

  /** Starts the same in another way. */
  public static NodeProcesses start(
      Path directory, Hosts hosts, int controllers, int servers, Starting starting)
      throws IOException {
    NodeProcesses started = new NodeProcesses(directory, hosts, servers, starting);
    try {
      started.startAll(controllers);
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private void startAll(int count) throws IOException {
    for (int i = 1; i <= count; i++) {
      controllers.put("r" + i, hosts.address("r" + i) + ":" + freePort());
    }
    for (String controller : controllerNames()) {
      configure(
          controller,
          starting.ofControllers(),
          "roles = controller",
          "controller.listen = " + controllers.get(controller),
          "directory = " + data(controller));
      start(controller);
    }
    for (String server : serverNames()) {
      configure(
          server,
          starting.ofServers(),
          "roles = server",
          "server.name = " + server,
          "server.listen = " + hosts.address(server) + ":" + freePort(),
          "directory = " + data(server),
          "store = " + directory.resolve("store").toUri());
      start(server);
    }
    configure(GATEWAY, List.of(), "roles = gateway", "gateway.listen = 127.0.0.1:" + http);
    start(GATEWAY);
    awaitServers(servers);
  }

  private void configure(String name, List<String> more, String... settings) throws IOException {
    List<String> lines = new ArrayList<>(List.of(settings));
    lines.addAll(more);
    lines.add("controller = " + String.join(", ", controllers.values()));
    lines.add("insecure = " + (hosts != Hosts.LOOPBACK));
    Files.write(directory.resolve(name + ".conf"), lines);
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new BenchException("There is no free port", e);
    }
  }

  /** Returns the directory of a process's data. */
  private Path data(String name) {
    return directory.resolve(name);
  }

  /** Returns the names of the controllers. */
  public List<String> controllerNames() {
    return List.copyOf(controllers.keySet());
  }

  /** Returns the names of the servers. */
  public List<String> serverNames() {
    return IntStream.rangeClosed(1, servers).mapToObj(i -> "s" + i).toList();
  }

  /** Returns a client of the gateway. This object closes it. */
  public RemoteCluster remote() {
    return remote;
  }

  /** Returns the address of the gateway. */
  public InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", http);
  }

  /** Returns the identifiers of all processes that run. */
  public List<Long> processIds() {
    return processes.values().stream().map(Process::pid).toList();
  }

  /** Creates a search table with a text field {@code body}, without durability. */
  public void createSearchTable(String name, int actors, int copies, Consistency level) {
    remote.post(
        "/api/tables",
        Map.of(
            "name",
            name,
            "engine",
            "search",
            "actors",
            (long) actors,
            "replicas",
            (long) copies,
            "durability",
            "none",
            "consistency",
            level.name().toLowerCase(Locale.ROOT),
            "schema",
            Map.of("defaultField", "body", "fields", Map.of("body", Map.of("type", "text")))));
  }

  /** Starts a process, for the first time or again. */
  public void start(String name) throws IOException {
    List<String> command = new ArrayList<>(hosts.commandPrefix(name));
    // as a user starts it, with the classes that the training of the build has loaded before
    command.add(ProjectRoot.find().resolve("uniserve").toString());
    command.addAll(List.of("node", "--config", directory.resolve(name + ".conf").toString()));
    ProcessBuilder process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.resolve(name + ".log").toFile()));
    process.environment().putAll(starting.environment());
    process.environment().put("UNISERVE_OPTS", "-Xmx" + starting.heap());
    processes.put(name, process.start());
  }

  /** Kills a process with {@code kill -9}. */
  public void kill(String name) {
    processes.remove(name).destroyForcibly().onExit().join();
  }

  /** Asks a process to end, and waits until it has. */
  public void terminate(String name) {
    Process process = processes.remove(name);
    process.destroy();
    process.onExit().join();
  }

  /** Stops a process with {@code SIGSTOP}. Its connections stay open. */
  public void halt(String name) throws IOException {
    signal(name, "-STOP");
  }

  /** Resumes a stopped process. */
  public void resume(String name) throws IOException {
    signal(name, "-CONT");
  }

  private void signal(String name, String signal) throws IOException {
    String pid = String.valueOf(processes.get(name).pid());
    int status =
        new ProcessBuilder("kill", signal, pid).inheritIO().start().onExit().join().exitValue();
    if (status != 0) {
      throw new BenchException("kill " + signal + " " + pid + " ended with " + status);
    }
  }

  /** Waits until the given number of servers are alive. */
  public void awaitServers(int alive) {
    await(alive + " servers", cluster -> alive(cluster).size() == alive);
  }

  /** Waits until all controllers answer and vote, and one leads. */
  public void awaitControllers() {
    await(
        "all controllers",
        cluster ->
            controllers().stream()
                    .allMatch(
                        controller -> isTrue(controller, "alive") && isTrue(controller, "voting"))
                && leader().isPresent());
  }

  /** Waits until every actor has the given number of readable copies, all on live servers. */
  public void awaitWhole(int copies) {
    await("all copies", cluster -> isWhole(cluster, copies));
  }

  private static boolean isWhole(Map<String, Object> cluster, int wanted) {
    List<Object> alive = alive(cluster);
    return actors(cluster)
        .map(actor -> actor.object("copies"))
        .allMatch(
            copies ->
                copies.size() == wanted
                    && alive.containsAll(copies.keySet())
                    && copies.values().stream().allMatch("ready"::equals));
  }

  private static Stream<Settings> actors(Map<String, Object> cluster) {
    return new Settings("the cluster", cluster)
        .list("tables").stream()
            .flatMap(table -> new Settings("a table", table).list("assignment").stream())
            .map(actor -> new Settings("an actor", actor));
  }

  private static List<Object> alive(Map<String, Object> cluster) {
    List<Object> alive = new ArrayList<>();
    for (Object server : new Settings("the cluster", cluster).list("servers")) {
      Map<String, Object> row = Settings.object("a server", server);
      if (isTrue(row, "alive")) {
        alive.add(row.get("name"));
      }
    }
    return alive;
  }

  private static boolean isTrue(Map<?, ?> document, String key) {
    return Boolean.TRUE.equals(document.get(key));
  }

  /** Returns the servers of the copies of the first actor, its primary first. */
  public List<String> copiesOfAnActor() {
    Settings actor = actors(remote.get("/api/cluster")).findFirst().orElseThrow();
    List<String> copies = new ArrayList<>(List.of(actor.text("primary")));
    actor.object("copies").keySet().stream()
        .filter(server -> !copies.contains(server))
        .forEach(copies::add);
    return copies;
  }

  /** Returns the name of the leading controller, if there is one. */
  public Optional<String> leader() {
    return controllers().stream()
        .filter(controller -> isTrue(controller, "decides"))
        .flatMap(
            controller ->
                controllers.entrySet().stream()
                    .filter(known -> known.getValue().equals(controller.get("address")))
                    .map(Map.Entry::getKey))
        .findFirst();
  }

  private List<Map<?, ?>> controllers() {
    List<Map<?, ?>> found = new ArrayList<>();
    new Settings("controllers", remote.get("/api/controllers"))
        .list("controllers")
        .forEach(controller -> found.add((Map<?, ?>) controller));
    return found;
  }

  private void await(String what, Predicate<Map<String, Object>> condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() > end) {
        throw new BenchException("Waited in vain for " + what + "; logs in " + directory);
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    }
  }

  private boolean holds(Predicate<Map<String, Object>> condition) {
    try {
      return condition.test(remote.get("/api/cluster"));
    } catch (UniserveException e) {
      return false; // the gateway does not listen yet, or cannot reach any controller
    }
  }

  @Override
  public void close() {
    remote.close();
    processes.values().forEach(Process::destroyForcibly);
    processes.values().forEach(process -> process.onExit().join());
  }
}
