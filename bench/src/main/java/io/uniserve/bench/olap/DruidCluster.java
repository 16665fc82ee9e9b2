package io.uniserve.bench.olap;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.load.HttpConnection;
import io.uniserve.bench.load.HttpRequests;
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
import java.util.Map;

/**
 * A Druid of several processes: a coordinator that is the overlord, too, historicals, a broker and
 * an indexer, with ZooKeeper, Derby and storage in files beside them. Nothing is cached.
 */
final class DruidCluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String BROKER = "broker";
  private static final String COORDINATOR = "coordinator";

  private final DruidPackage druid;
  private final Path directory;
  private final Map<String, Process> processes = new LinkedHashMap<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();
  private final int zookeeper = freePort();
  private final int derby = freePort();

  private DruidCluster(DruidPackage druid, Path directory) {
    this.druid = druid;
    this.directory = directory;
  }

  /**
   * Starts all processes and waits until they answer.
   *
   * @param historicals the number of historicals
   * @param threads the threads of each that compute
   * @param copies the historicals that load each segment
   */
  static DruidCluster start(Path directory, int historicals, int threads, int copies) {
    DruidCluster cluster = new DruidCluster(DruidPackage.prepare(), directory);
    try {
      cluster.startAll(historicals, threads);
      cluster.setCopies(copies);
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw new BenchException(
          "Druid does not start: " + e.getMessage() + "; logs in " + directory, e);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new BenchException("There is no free port", e);
    }
  }

  private void startAll(int historicals, int threads) throws IOException {
    startZooKeeper();
    node(
        COORDINATOR,
        COORDINATOR,
        "512m",
        "256m",
        List.of(
            "druid.coordinator.asOverlord.enabled=true",
            "druid.coordinator.asOverlord.overlordService=druid/overlord",
            "druid.coordinator.startDelay=PT2S",
            "druid.coordinator.period=PT2S",
            "druid.manager.segments.pollDuration=PT1S",
            "druid.indexer.queue.startDelay=PT1S",
            "druid.indexer.runner.type=httpRemote",
            "druid.indexer.storage.type=metadata"));
    awaitHealth(COORDINATOR);
    for (int i = 1; i <= historicals; i++) {
      Path cache = directory.resolve("cache-" + i);
      node(
          "historical-" + i,
          "historical",
          "1g",
          "1500m",
          List.of(
              "druid.server.maxSize=20000000000",
              "druid.segmentCache.locations=[{\"path\":\"%s\",\"maxSize\":\"20000000000\"}]"
                  .formatted(cache),
              "druid.processing.numThreads=" + threads,
              "druid.processing.numMergeBuffers=2",
              "druid.processing.buffer.sizeBytes=100000000",
              "druid.server.http.numThreads=20",
              "druid.historical.cache.useCache=false",
              "druid.historical.cache.populateCache=false"));
    }
    node(
        BROKER,
        BROKER,
        "1g",
        "1g",
        List.of(
            "druid.processing.numThreads=1",
            "druid.processing.numMergeBuffers=2",
            "druid.processing.buffer.sizeBytes=100000000",
            "druid.server.http.numThreads=20",
            "druid.broker.http.numConnections=20",
            "druid.broker.cache.useCache=false",
            "druid.broker.cache.populateCache=false"));
    node(
        "indexer",
        "indexer",
        "4g",
        "1g",
        List.of(
            "druid.worker.capacity=2",
            "druid.processing.numThreads=1",
            "druid.processing.numMergeBuffers=1",
            "druid.processing.buffer.sizeBytes=50000000",
            "druid.indexer.task.baseTaskDir=" + directory.resolve("tasks")));
    for (String name : ports.keySet()) {
      awaitHealth(name);
    }
  }

  private void startZooKeeper() throws IOException {
    Path config = Files.createDirectories(directory.resolve("zookeeper")).resolve("zoo.cfg");
    Files.write(
        config,
        List.of(
            "tickTime=2000",
            "clientPort=" + zookeeper,
            "clientPortAddress=127.0.0.1",
            "admin.enableServer=false",
            "dataDir=" + config.resolveSibling("data")));
    launch(
        "zookeeper",
        druid.command(
            directory,
            "256m",
            "64m",
            List.of("org.apache.zookeeper.server.quorum.QuorumPeerMain", config.toString())));
  }

  private void node(String name, String kind, String heap, String direct, List<String> settings)
      throws IOException {
    int port = freePort();
    ports.put(name, port);
    Path own = Files.createDirectories(directory.resolve("conf-" + name));
    List<String> lines = new ArrayList<>(common());
    lines.add("druid.service=druid/" + kind);
    lines.add("druid.plaintextPort=" + port);
    lines.addAll(settings);
    Files.write(own.resolve("runtime.properties"), lines);
    launch(
        name,
        druid.command(own, heap, direct, List.of("org.apache.druid.cli.Main", "server", kind)));
  }

  private List<String> common() {
    return List.of(
        "druid.host=127.0.0.1",
        "druid.extensions.loadList=[]",
        "druid.extensions.directory=" + directory.resolve("extensions"),
        "druid.startup.logging.logProperties=false",
        "druid.zk.service.host=127.0.0.1:" + zookeeper,
        "druid.metadata.storage.type=derby",
        "druid.metadata.storage.connector.connectURI=jdbc:derby://127.0.0.1:%d/%s;create=true"
            .formatted(derby, directory.resolve("metadata")),
        "druid.metadata.storage.connector.host=127.0.0.1",
        "druid.metadata.storage.connector.port=" + derby,
        "druid.storage.type=local",
        "druid.storage.storageDirectory=" + directory.resolve("segments"),
        "druid.indexer.logs.type=file",
        "druid.indexer.logs.directory=" + directory.resolve("task-logs"),
        "druid.selectors.indexing.serviceName=druid/overlord",
        "druid.selectors.coordinator.serviceName=druid/coordinator",
        "druid.lookup.enableLookupSyncOnStartup=false",
        "druid.emitter=noop",
        "druid.monitoring.monitors=[]");
  }

  private void launch(String name, List<String> command) throws IOException {
    processes.put(
        name,
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.resolve(name + ".log").toFile()))
            .start());
  }

  private InetSocketAddress address(String name) {
    return new InetSocketAddress("127.0.0.1", ports.get(name));
  }

  private void awaitHealth(String name) {
    byte[] request = HttpRequests.get(address(name), "/status/health", Map.of());
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!answers(name, request)) {
      if (System.nanoTime() > end || !processes.get(name).isAlive()) {
        throw new BenchException("Druid's " + name + " does not answer");
      }
      DruidApi.pause();
    }
  }

  private boolean answers(String name, byte[] request) {
    try (HttpConnection connection = HttpConnection.open(address(name))) {
      return connection.exchange(request).length > 0;
    } catch (BenchException | IOException e) {
      return false; // it does not listen yet, or is not ready
    }
  }

  private void setCopies(int copies) {
    api()
        .post(
            address(COORDINATOR),
            "/druid/coordinator/v1/rules/_default",
            "[{\"type\":\"loadForever\",\"tieredReplicants\":{\"_default_tier\":" + copies + "}}]");
  }

  /** Returns the API: queries go to the broker, and tasks to the overlord. */
  DruidApi api() {
    return new DruidApi(address(BROKER), address(COORDINATOR));
  }

  /** Returns the identifiers of all processes. */
  List<Long> processIds() {
    return processes.values().stream().map(Process::pid).toList();
  }

  /** Returns the directory in which the first historical keeps its segments. */
  Path segments() {
    return directory.resolve("cache-1");
  }

  /** Kills a historical with {@code kill -9}. */
  void killHistorical(int number) {
    processes.remove("historical-" + number).destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    List<Process> all = new ArrayList<>(processes.values());
    all.reversed().forEach(Process::destroyForcibly);
    all.forEach(process -> process.onExit().join());
  }
}
