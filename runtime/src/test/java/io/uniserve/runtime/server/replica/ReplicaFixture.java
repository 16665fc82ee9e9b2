package io.uniserve.runtime.server.replica;

import io.uniserve.api.ActorId;
import io.uniserve.api.Engine;
import io.uniserve.api.TableDefinition;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.runtime.server.actor.ReplicaTarget;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.engine.EngineThreads;
import io.uniserve.runtime.server.keys.StoredKeys;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Copies of actors of one engine, with files and threads and without a server. */
public final class ReplicaFixture implements AutoCloseable {
  private final Path directory;
  private final Environment environment;
  private final Engines engines;
  private final EngineThreads engineThreads;
  private final List<Replica> copies = new ArrayList<>();

  public ReplicaFixture(Path directory, Clock clock, Engine<?> engine) throws IOException {
    this(directory, clock, engine, UnaryOperator.identity());
  }

  /**
   * @param disks makes the disk that copies see of the files
   */
  ReplicaFixture(Path directory, Clock clock, Engine<?> engine, UnaryOperator<Storage> disks)
      throws IOException {
    this.directory = directory;
    ProductionEnvironment made =
        ProcessFixture.environment(
            clock, directory, new InProcessNetwork(clock).attach(new Address("server")));
    environment =
        new ProductionEnvironment(
            made.clock(),
            made.threads(),
            disks.apply(made.storage()),
            made.random(),
            made.transport());
    engines = new Engines(List.of(engine));
    engineThreads = new EngineThreads(environment, "engine", 2);
  }

  /** Creates one more copy, which has no data yet. */
  public Replica copy(ActorId id, TableDefinition table) throws IOException {
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

  /**
   * Returns the merger of two copies as a server makes it, leading in its first epoch.
   *
   * @param birth the epoch in which it is made
   */
  public Replica merged(ActorId into, Replica first, Replica second, long birth)
      throws IOException {
    Replica whole = copy(into, first.target().definition());
    Checkpoint one = first.checkpoints().pinned();
    Checkpoint other = second.checkpoints().pinned();
    CheckpointMeta meta =
        CheckpointMeta.read(one.directory())
            .with(
                first.target().id().number(),
                StoredKeys.of(one.directory()),
                CheckpointMeta.read(other.directory()),
                second.target().id().number(),
                StoredKeys.of(other.directory()),
                new Position(birth, 10),
                1,
                1);
    int own = first.target().id().number();
    int its = second.target().id().number();
    whole.make(opening -> opening.whole(one, own, other, its, meta));
    whole.reads().due(1);
    whole.lead(birth + 1, () -> true);
    return whole;
  }

  /** Returns the directory of a copy, numbered from 0. */
  Path directory(int copy) {
    return directory.resolve("actor-" + copy);
  }

  /** Returns the copies so far. */
  public List<Replica> copies() {
    return copies;
  }

  @Override
  public void close() {
    copies.forEach(Replica::close);
    engineThreads.close();
  }
}
