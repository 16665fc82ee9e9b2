package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Partitioner;
import io.uniserve.api.TableDefinition;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What one run is made of. The seed chooses some kinds of faults and leaves out others, since a few
 * kinds often show more than all at once.
 *
 * @param routers how many
 * @param snapshotBytes of control log, after which a router makes a snapshot
 * @param servers how many
 * @param clients how many
 * @param table that everybody uses
 * @param faults what can go wrong
 * @param checkpointBytes of log, after which a server renews a checkpoint
 * @param placing when placement policies decide
 */
record ClusterShape(
    int routers,
    long snapshotBytes,
    int servers,
    int clients,
    TableDefinition table,
    List<FaultKind> faults,
    long checkpointBytes,
    Placing placing) {
  static final String TABLE = "journals";

  /** A cluster whose placement nobody decides anew. */
  ClusterShape(
      int routers,
      long snapshotBytes,
      int servers,
      int clients,
      TableDefinition table,
      List<FaultKind> faults,
      long checkpointBytes) {
    this(routers, snapshotBytes, servers, clients, table, faults, checkpointBytes, Placing.NEVER);
  }

  /** A cluster whose placement is decided anew all the time. */
  static ClusterShape ofPlacement(Seed seed) {
    RandomGenerator random = seed.random("placement");
    ClusterShape shape = random.nextInt(4) == 0 ? ofTransactions(seed) : of(seed);
    return new ClusterShape(
        shape.routers(),
        shape.snapshotBytes(),
        shape.servers(),
        shape.clients(),
        shape.table(),
        shape.faults(),
        shape.checkpointBytes(),
        random.nextBoolean() ? Placing.ON_REQUEST : Placing.ON_INTERVAL);
  }

  static ClusterShape of(Seed seed) {
    RandomGenerator random = seed.random("shape");
    TableDefinition table =
        new TableDefinition(
            TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(random.nextInt(1, 7)),
            random.nextInt(1, 4),
            Durability.values()[random.nextInt(Durability.values().length)],
            Map.of());
    return new ClusterShape(
        1 + 2 * random.nextInt(3),
        random.nextLong(500, 20_000),
        4,
        2,
        table,
        someFaults(table, random),
        random.nextLong(200, 4_000));
  }

  /** A table of transactions. */
  static ClusterShape ofTransactions(Seed seed) {
    ClusterShape shape = of(seed);
    RandomGenerator random = seed.random("transactions");
    TableDefinition table =
        new TableDefinition(
            TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(random.nextInt(1, 5)),
            random.nextInt(1, 4),
            shape.table().durability(),
            random.nextBoolean() ? Consistency.SERIALIZABLE : Consistency.SNAPSHOT,
            Map.of());
    return new ClusterShape(
        shape.routers(),
        shape.snapshotBytes(),
        4,
        2,
        table,
        shape.faults(),
        shape.checkpointBytes());
  }

  private static List<FaultKind> someFaults(TableDefinition table, RandomGenerator random) {
    List<FaultKind> some = new ArrayList<>();
    for (FaultKind kind : FaultKind.values()) {
      if (random.nextBoolean()) {
        some.add(kind);
      }
    }
    if (table.durability() == Durability.NONE) {
      // Nothing promises that such a table survives it.
      some.remove(FaultKind.DISK_LOSS);
    }
    if (some.isEmpty()) {
      some.add(FaultKind.CRASH);
    }
    return some;
  }
}
