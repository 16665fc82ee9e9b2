package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.ModelFailures;
import io.uniserve.simulation.model.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A client thread that makes tables, writes a little, and drops them, while everything fails. */
final class ScratchTables {
  /** The message of a disk that cannot be read. No table is made where that keeps copies shut. */
  private static final String DISK_FAILURE = "Input/output error";

  private static final String PREFIX = "scratch-";
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final ClusterClient client;
  private final RandomGenerator random;
  private final Workload.Numbers numbers;
  private final KeptTables kept;
  private final String table;

  /**
   * @param table the table from which some of them are made
   */
  ScratchTables(
      ClusterClient client,
      TableDefinition table,
      RandomGenerator random,
      Workload.Numbers numbers) {
    this.table = table.name();
    this.kept = new KeptTables(client, table, random, ScratchTables::requireExpected);
    this.client = client;
    this.random = random;
    this.numbers = numbers;
  }

  /** Makes a table and drops it again, as far as the cluster can. */
  void makeAndDrop() {
    String name = newName();
    try {
      client.createTable(definition(name), TIMEOUT);
      client.update(
          name, new AppendOperations(), List.of(new Operation(1, numbers.next())), options());
    } catch (UniserveException e) {
      requireExpected(e);
    }
    drop(name);
  }

  /**
   * Makes a table of all data of the one table, and drops it again.
   *
   * @param query a query of the table, for which the new one must be an answer
   */
  void keepAndDrop(Witness.Query query) {
    String name = newName();
    kept.keep(definition(name), query);
    drop(name);
  }

  /** Returns a new name. Several tables may be used at once, each with numbers of its own. */
  private String newName() {
    return PREFIX + table + "-" + numbers.next();
  }

  private TableDefinition definition(String name) {
    return new TableDefinition(
        name,
        ModelEngine.NAME,
        new Partitioner.Hash(random.nextInt(1, 3)),
        random.nextInt(1, 3),
        Durability.values()[random.nextInt(Durability.values().length)],
        Map.of());
  }

  private static UpdateOptions options() {
    return new UpdateOptions(TIMEOUT, UpdateOptions.Acknowledgement.ALL_COPIES, Optional.empty());
  }

  private void drop(String name) {
    try {
      client.dropTable(name, TIMEOUT);
    } catch (UniserveException e) {
      requireExpected(e);
    }
  }

  /** Drops all tables that are left, since a request to make a table may arrive late. */
  void dropAll() {
    List<String> names =
        client.state().tables().values().stream()
            .map(TableState::definition)
            .map(TableDefinition::name)
            .filter(name -> name.startsWith(PREFIX))
            .toList();
    names.forEach(this::drop);
  }

  private static void requireExpected(UniserveException e) {
    if (!e.retryable()
        && !e.outcomeUnknown()
        && e.code() != ErrorCode.NOT_FOUND
        && e.code() != ErrorCode.CORRUPT
        && !ModelFailures.caused(e)
        && !String.valueOf(e.getMessage()).contains(DISK_FAILURE)) {
      throw new IllegalStateException("a table could not be made or dropped", e);
    }
  }
}
