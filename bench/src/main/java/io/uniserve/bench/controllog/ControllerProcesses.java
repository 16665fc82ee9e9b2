package io.uniserve.bench.controllog;

import io.uniserve.api.error.UniserveException;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.JavaCommand;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.wire.ControlMessage.AskController;
import io.uniserve.runtime.wire.ControlMessage.ControllerStatus;
import io.uniserve.runtime.wire.ControlMessage.Order;
import io.uniserve.runtime.wire.ControlMessage.Ordered;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.grpc.GrpcSettings;
import io.uniserve.runtime.wire.grpc.GrpcTransport;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** Three controllers, each a process of its own on loopback, and a submitter in this process. */
final class ControllerProcesses implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration STATUS_TIMEOUT = Duration.ofMillis(100);
  private static final long POLL_NANOS = 2_000_000;

  /** The garbage collector of a controller, as {@code uniserve node} selects it. */
  private static final String COLLECTOR = "-XX:+UseParallelGC";

  private final Path directory;
  private final boolean durable;
  private final Duration failureTimeout;
  private final List<Integer> ports = List.of(freePort(), freePort(), freePort());
  private final Map<Integer, ChildProcess> processes = new TreeMap<>();
  private final List<ChildProcess> dead = new ArrayList<>();
  private final SystemClock clock = new SystemClock();
  private final GrpcTransport transport;
  private final Environment environment;
  private final Controllers controllers;

  ControllerProcesses(Path directory, boolean durable, Duration failureTimeout) throws IOException {
    this.directory = directory;
    this.durable = durable;
    this.failureTimeout = failureTimeout;
    ProductionThreads threads = new ProductionThreads();
    transport =
        new GrpcTransport(
            clock, threads, new WireCodec(new Engines(List.of())), GrpcSettings.DEFAULT);
    environment =
        new ProductionEnvironment(
            clock,
            threads,
            new FileStorage(directory.resolve("client")),
            ProductionEnvironment.unseeded(),
            transport);
    controllers =
        new Controllers(environment, ports.stream().map(ControllerProcesses::address).toList());
    ports.forEach(this::start);
    order(List.of(new byte[1]));
  }

  private static Address address(int port) {
    return new Address("127.0.0.1:" + port);
  }

  void start(int port) {
    List<String> command = JavaCommand.of(ControllerNode.class, "1g", COLLECTOR);
    command.addAll(
        List.of(
            Integer.toString(port),
            String.join(",", ports.stream().map(String::valueOf).toList()),
            durable ? "disk" : "memory",
            Long.toString(failureTimeout.toMillis()),
            directory.resolve("router-" + port).toString()));
    ChildProcess process =
        ChildProcess.start(
            "controller " + port, command, directory.resolve("router-" + port + ".log"));
    process.awaitLine("READY");
    processes.put(port, process);
  }

  /** Submits messages and waits until they are committed. */
  void order(List<byte[]> messages) {
    controllers.submit(new Order(messages), Ordered.class, Deadline.after(clock, PATIENCE));
  }

  /** Returns the port of the controller that currently leads. */
  Optional<Integer> deciding() {
    return processes.keySet().stream().filter(this::decides).findFirst();
  }

  int awaitDeciding() {
    Deadline deadline = Deadline.after(clock, PATIENCE);
    Optional<Integer> leader = deciding();
    while (leader.isEmpty()) {
      deadline.check(clock, "a leader");
      LockSupport.parkNanos(
          POLL_NANOS); // polling without a pause would take time from the controllers that elect
      leader = deciding();
    }
    return leader.get();
  }

  private boolean decides(int port) {
    return status(port).filter(ControllerStatus::decides).isPresent();
  }

  /** Kills a controller with {@code kill -9}. */
  void kill(int port) {
    ChildProcess killed = processes.remove(port);
    ProcessHandle.of(killed.processId()).ifPresent(ProcessHandle::destroyForcibly);
    dead.add(killed);
  }

  /** Waits until every process is a follower or leads, and has the whole log. */
  void awaitLevel() {
    Deadline deadline = Deadline.after(clock, PATIENCE);
    while (versions().stream().distinct().count() != 1) {
      deadline.check(clock, "level controllers");
    }
  }

  /**
   * Returns the version of each controller. A controller that cannot be reached yet gets a version
   * that no other has.
   */
  private List<Long> versions() {
    List<Long> versions = new ArrayList<>();
    for (int port : processes.keySet()) {
      versions.add(status(port).map(ControllerStatus::version).orElse((long) -port));
    }
    return versions;
  }

  private Optional<ControllerStatus> status(int port) {
    try {
      Deadline deadline = Deadline.after(clock, STATUS_TIMEOUT);
      return Optional.of(
          Calls.ask(
              environment, address(port), new AskController(), ControllerStatus.class, deadline));
    } catch (UniserveException e) {
      return Optional.empty();
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new BenchException("There is no free port", e);
    }
  }

  @Override
  public void close() {
    processes.values().forEach(ChildProcess::close);
    dead.forEach(ChildProcess::close);
    transport.close();
    clock.close();
  }
}
