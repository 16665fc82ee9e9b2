package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.Engine;
import io.uniserve.api.TableDefinition;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.runtime.wire.Engines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Copies of actors of one engine, with files and threads and without a server. */
final class ReplicaFixture implements AutoCloseable {
  private final Path directory;
  private final Environment environment;
  private final Engines engines;
  private final EngineThreads engineThreads;
  private final List<Replica> copies = new ArrayList<>();

  ReplicaFixture(Path directory, Clock clock, Engine<?> engine) throws IOException {
    this.directory = directory;
    environment =
        new ProductionEnvironment(
            clock,
            new ProductionThreads(),
            new FileStorage(directory),
            ProductionEnvironment.unseeded(),
            new InProcessNetwork(clock).attach(new Address("server")));
    engines = new Engines(List.of(engine));
    engineThreads = new EngineThreads(environment, "engine", 1);
  }

  /** One more copy, which has nothing yet. */
  Replica copy(ActorId id, TableDefinition table) throws IOException {
    Replica copy =
        new Replica(
            new ReplicaTarget("cluster", id, table, Optional.empty()),
            engines,
            engineThreads,
            environment,
            directory(copies.size()));
    copies.add(copy);
    return copy;
  }

  /** Where a copy is, of the first, the second and so on. */
  Path directory(int copy) {
    return directory.resolve("actor-" + copy);
  }

  /** The copies so far. */
  List<Replica> copies() {
    return copies;
  }

  @Override
  public void close() {
    copies.forEach(Replica::close);
    engineThreads.close();
  }
}
