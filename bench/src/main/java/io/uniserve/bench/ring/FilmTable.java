package io.uniserve.bench.ring;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.base.BenchException;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.engines.search.SearchPlanner;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.ring.RingPlacement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/** An ordered table of documents on a ring of servers. Each update adds some documents. */
final class FilmTable {
  static final String NAME = "films";
  static final int ACTORS = 3;
  static final int COPIES = 3;
  static final Partitioner PARTITIONER = new Partitioner.Hash(ACTORS);

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int BATCH = 500;
  private static final String BODY = "the quick brown fox jumps over the lazy dog ".repeat(5);

  private final UniserveClient client;
  private final TableDefinition table;
  private final Planner planner = new SearchPlanner();
  private final Plan<?> count;
  private final AtomicLong documents = new AtomicLong();

  /**
   * Creates the table.
   *
   * @param servers the servers of its ring
   */
  FilmTable(UniserveClient client, List<String> servers) {
    this.client = client;
    this.table =
        new TableDefinition(
            NAME,
            SearchEngine.NAME,
            PARTITIONER,
            COPIES,
            Durability.NONE,
            Consistency.ORDERED,
            Map.of("fields", Map.of("body", Map.of("type", "text")), "defaultField", "body"));
    client.tables().createTable(table, new RingPlacement(servers), PATIENCE);
    this.count = planner.plan(table, "*:*", Map.of("rows", "1"));
  }

  /** Adds documents before anything is measured. */
  void load(int number) {
    try (OrderedSession session = client.session(NAME)) {
      for (int i = 0; i < number; i += BATCH) {
        submit(session, BATCH);
      }
      session.drain(PATIENCE);
    }
  }

  /** Submits an update that adds documents. */
  @SuppressWarnings("unchecked")
  OrderedReceipt submit(OrderedSession session, int added) {
    long first = documents.getAndAdd(added);
    List<Map<String, Object>> rows =
        LongStream.range(first, first + added)
            .mapToObj(id -> Map.<String, Object>of("id", Long.toString(id), "body", BODY))
            .toList();
    List<PartitionedRecord> records = new ArrayList<>(planner.records(table, rows));
    UpdateFunction<?, PartitionedRecord> load =
        (UpdateFunction<?, PartitionedRecord>) planner.load(table); // made for its own records
    return session.submit(load, records);
  }

  /** Asks all actors at a level how many documents there are. */
  Object read(ReadLevel level) {
    return client.query(count, new QueryOptions(PATIENCE).withRead(level));
  }

  /**
   * Checks that every document is there once.
   *
   * @throws BenchException if one is missing or there twice
   */
  void check() {
    long found = ((Number) total(read(ReadLevel.SNAPSHOT))).longValue();
    if (found != documents.get()) {
      throw new BenchException(
          "Table %s has %,d documents after %,d were added"
              .formatted(NAME, found, documents.get()));
    }
  }

  private static Object total(Object answer) {
    return ((Map<?, ?>) answer).get("total");
  }
}
