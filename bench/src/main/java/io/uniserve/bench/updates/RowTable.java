package io.uniserve.bench.updates;

import io.uniserve.api.Durability;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.engines.search.SearchPlanner;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.engines.warehouse.WarehousePlanner;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A table of documents or of rows of SQL, into which single ones are stored over and over. Each
 * replaces that of the same identity.
 */
final class RowTable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TEXT = "the quick brown fox jumps over the lazy dog ".repeat(2);

  private final UniserveClient client;
  private final TableDefinition table;
  private final Planner planner;
  private final Map<String, Object> constant;

  private RowTable(
      UniserveClient client,
      String engine,
      Planner planner,
      Map<String, Object> schema,
      Map<String, Object> constant) {
    this.client = client;
    this.planner = planner;
    this.constant = constant;
    this.table =
        new TableDefinition(
            engine,
            engine,
            new Partitioner.Hash(PutTable.ACTORS),
            PutTable.COPIES,
            Durability.NONE,
            schema);
    client.createTable(table, PATIENCE);
  }

  /** Creates a table of documents with a text. */
  static RowTable ofSearch(UniserveClient client) {
    return new RowTable(
        client,
        SearchEngine.NAME,
        new SearchPlanner(),
        Map.of("fields", Map.of("body", Map.of("type", "text")), "defaultField", "body"),
        Map.of("body", TEXT));
  }

  /** Creates a table of rows with a number and a text. */
  static RowTable ofWarehouse(UniserveClient client) {
    return new RowTable(
        client,
        WarehouseEngine.NAME,
        new WarehousePlanner(),
        Map.of(
            "columns",
            new TreeMap<>(Map.of("id", "bigint not null", "body", "varchar not null")),
            "partitionBy",
            List.of("id"),
            "primaryKey",
            List.of("id")),
        Map.of("body", TEXT));
  }

  /** Stores one, on all copies. */
  void storeOne(int call) {
    store(planner.records(table, List.of(row())), planner.load(table));
  }

  private Map<String, Object> row() {
    long number = ThreadLocalRandom.current().nextLong(PutTable.KEYS);
    Map<String, Object> row = new TreeMap<>(constant);
    row.put("id", table.engine().equals(SearchEngine.NAME) ? Long.toString(number) : number);
    return row;
  }

  @SuppressWarnings("unchecked")
  private <R extends PartitionedRecord> void store(
      List<? extends PartitionedRecord> records, UpdateFunction<?, ?> function) {
    client.update(
        table.name(),
        (UpdateFunction<?, R>) function,
        (List<? extends R>) records,
        UpdateOptions.ALL_COPIES);
  }
}
