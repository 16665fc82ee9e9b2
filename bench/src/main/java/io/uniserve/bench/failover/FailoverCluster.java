package io.uniserve.bench.failover;

import io.uniserve.api.UniserveException;
import io.uniserve.bench.BenchException;
import io.uniserve.bench.systems.JavaCommand;
import io.uniserve.node.Uniserve;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A router, servers and a gateway, each a process of its own, and a table with two copies. */
final class FailoverCluster implements AutoCloseable {
  static final String TABLE = "notes";

  private static final int ACTORS = 8;
  private static final int BATCH = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path directory;
  private final Map<String, Process> processes = new LinkedHashMap<>();
  private final int servers;
  private final int router = freePort();
  private final int http = freePort();
  private final RemoteCluster remote = new RemoteCluster("http://127.0.0.1:" + http);

  private FailoverCluster(Path directory, int servers) {
    this.directory = directory;
    this.servers = servers;
  }

  static FailoverCluster start(Path directory, int servers) throws IOException {
    FailoverCluster cluster = new FailoverCluster(directory, servers);
    try {
      cluster.startAll();
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void startAll() throws IOException {
    configure("router", "roles = router", "directory = " + directory.resolve("router"));
    start("router");
    for (String server : serverNames()) {
      configure(
          server,
          "roles = server",
          "server.name = " + server,
          "server.listen = 127.0.0.1:" + freePort(),
          "directory = " + directory.resolve(server),
          "store = " + directory.resolve("store").toUri());
      start(server);
    }
    configure("gateway", "roles = gateway", "gateway.listen = 127.0.0.1:" + http);
    start("gateway");
    await("all servers", cluster -> alive(cluster) == servers);
  }

  private void configure(String name, String... settings) throws IOException {
    List<String> lines = new ArrayList<>(List.of(settings));
    lines.add("router = 127.0.0.1:" + router);
    Files.write(directory.resolve(name + ".conf"), lines);
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new BenchException("There is no free port", e);
    }
  }

  List<String> serverNames() {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= servers; i++) {
      names.add("s" + i);
    }
    return names;
  }

  /** Starts a process, for the first time or again. */
  void start(String name) throws IOException {
    List<String> command = JavaCommand.of(Uniserve.class, "384m");
    command.addAll(List.of("node", "--config", directory.resolve(name + ".conf").toString()));
    processes.put(
        name,
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.resolve(name + ".log").toFile()))
            .start());
  }

  /** {@code kill -9}. */
  void kill(String name) {
    processes.remove(name).destroyForcibly();
  }

  /** {@code SIGSTOP}: it stands still, and its connections stay open. */
  void halt(String name) throws IOException {
    signal(name, "-STOP");
  }

  /** It goes on. */
  void resume(String name) throws IOException {
    signal(name, "-CONT");
  }

  private void signal(String name, String signal) throws IOException {
    String pid = String.valueOf(processes.get(name).pid());
    try {
      int status = new ProcessBuilder("kill", signal, pid).inheritIO().start().waitFor();
      if (status != 0) {
        throw new BenchException("kill " + signal + " " + pid + " ended with " + status);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    }
  }

  /** Makes the table and stores so many documents, all of which hold the word {@code text}. */
  void load(int documents) {
    remote.post(
        "/api/tables",
        Map.of(
            "name",
            TABLE,
            "engine",
            "search",
            "actors",
            (long) ACTORS,
            "replicas",
            2L,
            "durability",
            "none",
            "schema",
            Map.of("defaultField", "body", "fields", Map.of("body", Map.of("type", "text")))));
    for (int first = 0; first < documents; first += BATCH) {
      StringBuilder lines = new StringBuilder();
      for (int i = first; i < Math.min(documents, first + BATCH); i++) {
        lines
            .append("{\"id\":\"")
            .append(i)
            .append("\",\"body\":\"text ")
            .append(i)
            .append("\"}\n");
      }
      remote.postRecords(
          "/api/tables/" + TABLE + "/records?acknowledge=all",
          StandardCharsets.UTF_8.encode(lines.toString()),
          "documents-" + first);
    }
  }

  /** How many documents a query of all of them counts. */
  long count() {
    Map<String, Object> answer = remote.get("/api/tables/" + TABLE + "/query?q=text&rows=1");
    return (Long) new Settings("the answer", answer).object("result").get("total");
  }

  /** Waits until every actor has two readable copies on servers that live. */
  void awaitWhole() {
    await("all copies", FailoverCluster::whole);
  }

  void awaitServers(int alive) {
    await(alive + " servers", cluster -> alive(cluster) == alive);
  }

  private static boolean whole(Map<String, Object> cluster) {
    Settings document = new Settings("the cluster", cluster);
    List<Object> alive = new ArrayList<>();
    for (Object server : document.list("servers")) {
      Map<String, Object> row = Settings.object("a server", server);
      if (Boolean.TRUE.equals(row.get("alive"))) {
        alive.add(row.get("name"));
      }
    }
    return document.list("tables").stream()
        .flatMap(table -> new Settings("a table", table).list("assignment").stream())
        .map(actor -> new Settings("an actor", actor).object("copies"))
        .allMatch(
            copies ->
                copies.size() == 2
                    && alive.containsAll(copies.keySet())
                    && copies.values().stream().allMatch("ready"::equals));
  }

  private static long alive(Map<String, Object> cluster) {
    return new Settings("the cluster", cluster)
        .list("servers").stream()
            .filter(server -> Boolean.TRUE.equals(((Map<?, ?>) server).get("alive")))
            .count();
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
      return false; // the gateway does not listen yet
    }
  }

  @Override
  public void close() {
    remote.close();
    processes.values().forEach(Process::destroyForcibly);
  }
}
