package io.uniserve.bench.overhead;

import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A table of one {@link EchoActor} in an embedded cluster of one server. */
final class EmbeddedEcho implements AutoCloseable {

  static final String TABLE = "echo";

  private static final Duration CREATE_TIMEOUT = Duration.ofSeconds(30);

  private final EmbeddedCluster cluster;

  private EmbeddedEcho(EmbeddedCluster cluster) {
    this.cluster = cluster;
  }

  static EmbeddedEcho start(Path directory) {
    EmbeddedCluster cluster = EmbeddedCluster.start(directory, 1, new EchoEngine());
    createTable(cluster.client());
    return new EmbeddedEcho(cluster);
  }

  static void createTable(UniserveClient client) {
    client.createTable(
        new TableDefinition(
            TABLE, EchoEngine.NAME, new Partitioner.Hash(1), 1, Durability.NONE, Map.of()),
        CREATE_TIMEOUT);
  }

  byte[] ask(Plan<byte[]> plan) {
    return cluster.client().query(plan, QueryOptions.DEFAULT);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
