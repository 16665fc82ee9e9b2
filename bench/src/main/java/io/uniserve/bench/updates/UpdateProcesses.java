package io.uniserve.bench.updates;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.keyvalue.KeyValueEngine;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.EngineNode;
import io.uniserve.bench.systems.JavaCommand;
import io.uniserve.bench.systems.RemoteClient;
import io.uniserve.runtime.client.UniserveClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Three controllers whose log is on disk and three servers, each a process of its own, and a client
 * in this process.
 */
final class UpdateProcesses implements AutoCloseable {
  static final int CONTROLLERS = 3;
  static final int SERVERS = 3;

  private static final String HEAP = "512m";
  private static final String FAILURE_TIMEOUT_MILLIS = "500";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = 20_000_000;

  private final Path directory;
  private final List<Integer> ports =
      IntStream.range(0, CONTROLLERS).mapToObj(i -> EngineNode.freePort()).toList();
  private final List<ChildProcess> processes = new ArrayList<>();
  private final RemoteClient remote;

  UpdateProcesses(Path directory) {
    this.directory = directory;
    try {
      ports.forEach(this::startController);
      processes.forEach(process -> process.awaitLine("READY"));
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

  private void startController(int port) {
    String name = "controller-" + port;
    List<String> command = JavaCommand.of(KeyValueController.class, HEAP);
    command.addAll(
        List.of(
            Integer.toString(port),
            ports.stream().map(String::valueOf).collect(Collectors.joining(",")),
            "disk",
            FAILURE_TIMEOUT_MILLIS,
            directory.resolve(name).toString()));
    processes.add(ChildProcess.start(name, command, directory.resolve(name + ".log")));
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

  UniserveClient client() {
    return remote.client();
  }

  /** Returns the processes whose work an update is: all of them, and this one, the client. */
  List<Long> processIds() {
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
