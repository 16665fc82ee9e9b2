package io.uniserve.bench.systems;

import io.uniserve.api.Engine;
import io.uniserve.bench.base.BenchException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.grpc.GrpcSettings;
import io.uniserve.runtime.wire.grpc.GrpcTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A client in this process, of a cluster of {@link EngineNode}s. */
public final class RemoteClient implements AutoCloseable {
  private final SystemClock clock = new SystemClock();
  private final GrpcTransport transport;
  private final ClusterClient client;

  /**
   * @param controllers the ports of the controllers
   * @param directory the directory for the client's files
   */
  public RemoteClient(Engine<?> engine, List<Integer> controllers, Path directory) {
    Engines engines = new Engines(List.of(engine));
    ProductionThreads threads = new ProductionThreads();
    try {
      transport = new GrpcTransport(clock, threads, new WireCodec(engines), GrpcSettings.DEFAULT);
      ProductionEnvironment environment =
          new ProductionEnvironment(
              clock,
              threads,
              new FileStorage(directory),
              ProductionEnvironment.unseeded(),
              transport);
      List<Address> addresses =
          controllers.stream().map(port -> new Address("127.0.0.1:" + port)).toList();
      client = new ClusterClient(environment, addresses, engines, ClientSettings.DEFAULT);
    } catch (IOException e) {
      clock.close();
      throw new BenchException("Cannot be a client of the controllers at ports " + controllers, e);
    }
  }

  public UniserveClient client() {
    return client;
  }

  @Override
  public void close() {
    client.close();
    transport.close();
    clock.close();
  }
}
