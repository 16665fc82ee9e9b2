package io.uniserve.bench.updates;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.keyvalue.CountPuts;
import io.uniserve.bench.keyvalue.Entry;
import io.uniserve.bench.keyvalue.KeyValueEngine;
import io.uniserve.bench.keyvalue.Put;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** A table of keys and values at one level, into which entries are put over and over. */
final class PutTable {
  static final int ACTORS = 4;
  static final int COPIES = 2;
  static final int KEYS = 10_000;
  static final int VALUE_LENGTH = 100;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String VALUE = "v".repeat(VALUE_LENGTH);

  private final UniserveClient client;
  private final String name;

  /** The entries of each actor. */
  private final List<List<Entry>> entries;

  private final LongAdder puts = new LongAdder();

  PutTable(UniserveClient client, Consistency consistency) {
    this.client = client;
    this.name = consistency.name().toLowerCase(Locale.ROOT);
    Partitioner partitioner = new Partitioner.Hash(ACTORS);
    client.createTable(
        new TableDefinition(
            name, KeyValueEngine.NAME, partitioner, COPIES, Durability.NONE, consistency, Map.of()),
        PATIENCE);
    entries = IntStream.range(0, ACTORS).<List<Entry>>mapToObj(actor -> new ArrayList<>()).toList();
    for (int i = 0; i < KEYS; i++) {
      Entry entry = entry(i);
      entries.get(partitioner.actorOf(entry.partitionKey())).add(entry);
    }
  }

  String name() {
    return name;
  }

  /** Returns the entry of a number below {@link #KEYS}. */
  static Entry entry(int number) {
    return new Entry("key-%08d".formatted(number), VALUE);
  }

  /** Puts one entry into any actor, on all copies. */
  void putOne(int call) {
    put(List.of(any(entries.get(ThreadLocalRandom.current().nextInt(ACTORS)))));
  }

  /** Puts an entry into each actor, on all copies. */
  void putIntoEach(int call) {
    put(entries.stream().map(PutTable::any).toList());
  }

  /** Submits one entry for any actor, as the next update of a session. */
  void submitOne(OrderedSession session) {
    submit(session, List.of(any(entries.get(ThreadLocalRandom.current().nextInt(ACTORS)))));
  }

  /** Submits one entry with a value for any actor, as the next update of a session. */
  OrderedReceipt submitOne(OrderedSession session, String value) {
    Entry any = any(entries.get(ThreadLocalRandom.current().nextInt(ACTORS)));
    puts.increment();
    return session.submit(new Put(), List.of(new Entry(any.key(), value)));
  }

  /** Submits one entry for an actor, as the next update of a session. */
  void submitTo(int actor, OrderedSession session) {
    submit(session, List.of(any(entries.get(actor))));
  }

  /** Submits an entry for each actor, as the next update of a session. */
  void submitToEach(OrderedSession session) {
    submit(session, entries.stream().map(PutTable::any).toList());
  }

  private void submit(OrderedSession session, List<Entry> some) {
    session.submit(new Put(), some);
    puts.add(some.size());
  }

  private void put(List<Entry> some) {
    client.update(name, new Put(), some, UpdateOptions.ALL_COPIES);
    puts.add(some.size());
  }

  private static Entry any(List<Entry> some) {
    return some.get(ThreadLocalRandom.current().nextInt(some.size()));
  }

  /** Checks that every put was applied once. */
  void check() {
    Plan<Long> sum = Plan.query(name, new CountPuts(), Operator.Combine.fold(0L, Long::sum));
    long found = client.query(sum, QueryOptions.DEFAULT);
    if (found != puts.sum()) {
      throw new BenchException(
          "Table %s has %,d puts after %,d were acknowledged".formatted(name, found, puts.sum()));
    }
  }
}
