package io.uniserve.bench.updates;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.updates.TallyEngine.Add;
import io.uniserve.bench.updates.TallyEngine.Amount;
import io.uniserve.bench.updates.TallyEngine.Read;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/** A table of numbers. Each call adds one to each of its actors at once. */
final class TallyTable implements IntConsumer {
  static final int ACTORS = 4;
  static final int COPIES = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final UniserveClient client;
  private final String name;
  private final List<Amount> oneEach;
  private final AtomicLong updates = new AtomicLong();

  TallyTable(UniserveClient client, String name, Consistency consistency) {
    this.client = client;
    this.name = name;
    Partitioner partitioner = new Partitioner.Hash(ACTORS);
    client.createTable(
        new TableDefinition(
            name, TallyEngine.NAME, partitioner, COPIES, Durability.NONE, consistency, Map.of()),
        PATIENCE);
    oneEach = partitioner.keyOfEach().values().stream().map(key -> new Amount(key, 1)).toList();
  }

  @Override
  public void accept(int call) {
    client.update(name, new Add(), oneEach, UpdateOptions.ALL_COPIES);
    updates.incrementAndGet();
  }

  /** Checks that every update was applied once in each actor. */
  void check() {
    Plan<Long> sum = Plan.query(name, new Read(), Operator.Combine.fold(0L, Long::sum));
    long found = client.query(sum, QueryOptions.DEFAULT);
    if (found != ACTORS * updates.get()) {
      throw new BenchException(
          "Table %s has a sum of %,d after %,d updates".formatted(name, found, updates.get()));
    }
  }
}
