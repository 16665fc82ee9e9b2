package io.uniserve.runtime.cluster;

import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.Source.Gathered;
import io.uniserve.api.Source.Scattered;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyOperators.ReadSheet;
import io.uniserve.runtime.wire.ServerMessage.AskStatus;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.ServerStatus.QueryData;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster for plans of map, scatter and gather, which must leave nothing behind. */
@Timeout(60)
abstract class OperatorsFixture {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir Path directory;
  LocalCluster cluster;

  @BeforeEach
  void start() throws Exception {
    TallyOperators.OPEN.set(0);
    TallyOperators.MAPS.set(0);
    cluster = new LocalCluster(directory, 3);
  }

  @AfterEach
  void nothingIsLeft() {
    try (LocalCluster ended = cluster) {
      ended.await(state -> nothingOn(state.servers().values()));
    }
  }

  boolean nothingOn(Collection<ServerState> servers) {
    return TallyOperators.OPEN.get() == 0
        && servers.stream()
            .filter(ServerState::alive)
            .allMatch(server -> status(server.name()).queryData().equals(QueryData.NONE));
  }

  private ServerStatus status(String server) {
    try {
      return cluster.ask(server, new AskStatus(), ServerStatus.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Scattered scattered(Source source, Operator.Scatter<?> operator) {
    return new Scattered(source, operator);
  }

  static Gathered gathered(List<Scattered> inputs, Operator.Gather<?, ?> operator) {
    return new Gathered(inputs, Optional.empty(), operator);
  }

  Map<String, Long> ask(Source source) {
    return cluster.client.query(
        new Plan.Query<>(source, new ReadSheet(), TallyEngine.collecting()), QueryOptions.DEFAULT);
  }

  Map<String, Long> table(String name, int actors, int replicas, int keys) {
    cluster.client.createTable(
        new TableDefinition(
            name, "tally", new Partitioner.Hash(actors), replicas, Durability.NONE, Map.of()),
        TIMEOUT);
    List<Amount> amounts = new ArrayList<>();
    Map<String, Long> sums = new TreeMap<>();
    for (int i = 0; i < keys; i++) {
      amounts.add(new Amount("k" + i, i));
      sums.put("k" + i, (long) i);
    }
    if (keys > 0) {
      cluster.client.update(name, new Add(), amounts, UpdateOptions.ALL_COPIES);
    }
    return sums;
  }
}
