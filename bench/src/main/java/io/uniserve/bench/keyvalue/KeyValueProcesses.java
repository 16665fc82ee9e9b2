package io.uniserve.bench.keyvalue;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.EngineNode;
import io.uniserve.bench.systems.JavaCommand;
import io.uniserve.bench.systems.RemoteClient;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.ControlMessage.ControllerStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Three controllers whose log is on disk and three servers, each a process of its own, and a client
 * in this process.
 */
public final class KeyValueProcesses implements AutoCloseable {
  public static final int CONTROLLERS = 3;
  public static final int SERVERS = 3;

  private static final String HEAP = "512m";
  private static final String FAILURE_TIMEOUT_MILLIS = "500";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = 20_000_000;

  private final Path directory;
  private final List<Integer> ports =
      IntStream.range(0, CONTROLLERS).mapToObj(i -> EngineNode.freePort()).toList();
  private final List<ChildProcess> processes = new ArrayList<>();
  private final Map<Integer, ChildProcess> controllers = new TreeMap<>();
  private final RemoteClient remote;

  public KeyValueProcesses(Path directory) {
    this.directory = directory;
    try {
      ports.forEach(this::begin);
      controllers.values().forEach(process -> process.awaitLine("READY"));
      for (int i = 1; i <= SERVERS; i++) {
        Path place = directory.resolve("s" + i);
        processes.add(
            EngineNode.start(
                KeyValueNode.class,
                HEAP,
                new EngineNode.Place("s" + i, ports, EngineNode.freePort(), place, false)));
      }
      remote = new RemoteClient(new KeyValueEngine(), ports, directory.resolve("client"));
    } catch (RuntimeException e) {
      processes.forEach(ChildProcess::close);
      throw e;
    }
    awaitServers();
  }

  /**
   * Starts a controller that was killed.
   *
   * @param port the port of the controller
   */
  public void startController(int port) {
    begin(port).awaitLine("READY");
  }

  private ChildProcess begin(int port) {
    String name = "controller-" + port;
    List<String> command = JavaCommand.of(KeyValueController.class, HEAP);
    command.addAll(
        List.of(
            Integer.toString(port),
            ports.stream().map(String::valueOf).collect(Collectors.joining(",")),
            "disk",
            FAILURE_TIMEOUT_MILLIS,
            directory.resolve(name).toString()));
    ChildProcess process = ChildProcess.start(name, command, directory.resolve(name + ".log"));
    processes.add(process);
    controllers.put(port, process);
    return process;
  }

  /** Kills a controller with {@code kill -9}. */
  public void killController(int port) {
    ProcessHandle.of(controllers.remove(port).processId())
        .ifPresent(ProcessHandle::destroyForcibly);
  }

  /** Returns the port of the controller that leads. */
  public int leader() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      for (Map.Entry<Address, Optional<ControllerStatus>> one :
          client().admin().controllers().list().entrySet()) {
        if (one.getValue().filter(ControllerStatus::decides).isPresent()) {
          return port(one.getKey());
        }
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    throw new BenchException("No controller leads within " + PATIENCE);
  }

  private static int port(Address controller) {
    String name = controller.toString();
    return Integer.parseInt(name.substring(name.lastIndexOf(':') + 1));
  }

  /** Returns the port of a controller that runs and does not lead. */
  public int follower() {
    int leader = leader();
    return controllers.keySet().stream().filter(port -> port != leader).findFirst().orElseThrow();
  }

  /** Waits for all servers. A table that is created before has fewer places for its copies. */
  private void awaitServers() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (client().view().statuses(PATIENCE).size() < SERVERS) {
      if (System.nanoTime() > end) {
        close();
        throw new BenchException("Not all servers have joined within " + PATIENCE);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  public UniserveClient client() {
    return remote.client();
  }

  /** Returns the processes whose work an update is: all of them, and this one, the client. */
  public List<Long> processIds() {
    List<Long> all = new ArrayList<>(List.of(ProcessHandle.current().pid()));
    processes.forEach(process -> all.add(process.processId()));
    return all;
  }

  @Override
  public void close() {
    remote.close();
    processes.reversed().forEach(ChildProcess::close);
  }
}
