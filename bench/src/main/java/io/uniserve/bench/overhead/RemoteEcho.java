package io.uniserve.bench.overhead;

import io.uniserve.api.Plan;
import io.uniserve.bench.BenchException;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.JavaCommand;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.client.ClientSettings;
import io.uniserve.runtime.client.ClusterClient;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.grpc.GrpcSettings;
import io.uniserve.runtime.wire.grpc.GrpcTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;

/** A table of one {@link EchoActor} in an {@link EchoNode}, asked by a client in this process. */
final class RemoteEcho implements AutoCloseable {

  private final ChildProcess node;
  private final SystemClock clock = new SystemClock();
  private final GrpcTransport transport;
  private final ClusterClient client;

  private RemoteEcho(ChildProcess node, int router, Path directory) throws IOException {
    this.node = node;
    Engines engines = new Engines(List.of(new EchoEngine()));
    ProductionThreads threads = new ProductionThreads();
    transport = new GrpcTransport(clock, threads, new WireCodec(engines), GrpcSettings.DEFAULT);
    ProductionEnvironment environment =
        new ProductionEnvironment(
            clock,
            threads,
            new FileStorage(directory.resolve("client")),
            ProductionEnvironment.unseeded(),
            transport);
    Address address = new Address("127.0.0.1:" + router);
    client = new ClusterClient(environment, List.of(address), engines, ClientSettings.DEFAULT);
  }

  /**
   * @param directory holds the node's files and log
   */
  static RemoteEcho start(Path directory) {
    int router = freePort();
    List<String> command = JavaCommand.of(EchoNode.class, "512m");
    command.add(Integer.toString(router));
    command.add(Integer.toString(freePort()));
    command.add(directory.resolve("node").toString());
    ChildProcess node = ChildProcess.start("echo node", command, directory.resolve("node.log"));
    try {
      node.awaitLine("READY");
      RemoteEcho echo = new RemoteEcho(node, router, directory);
      EmbeddedEcho.createTable(echo.client);
      return echo;
    } catch (IOException | RuntimeException e) {
      node.close();
      throw new BenchException("Cannot use the echo node in " + directory, e);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new BenchException("There is no free port", e);
    }
  }

  byte[] ask(Plan<byte[]> plan) {
    return client.query(plan, QueryOptions.DEFAULT);
  }

  @Override
  public void close() {
    client.close();
    transport.close();
    clock.close();
    node.close();
  }
}
