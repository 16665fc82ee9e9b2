package io.uniserve.node.flight;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.gateways.flightsql.FlightSqlGateway;
import io.uniserve.node.access.Access;
import io.uniserve.node.access.GuardedClient;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.rpc.RpcService;
import io.uniserve.node.rpc.RpcSettings;
import io.uniserve.runtime.client.ForwardingClient;
import io.uniserve.runtime.client.Queries;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.testkit.client.TableRows;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A cluster with the warehouses {@code trade}, like TPC-H, and {@code secret}. */
final class Trade implements AutoCloseable {
  static final int ACTORS = 12;
  static final int ORDERS = 2_000;
  static final int DIGITS = 500;

  /** A query of a million rows of 480 characters and more, which the actors make up. */
  static final String LARGE =
      "select o_orderkey, n, repeat(o_comment, 20) as wide from trade.orders cross join"
          + " trade.digits";

  /** A query that takes minutes before there is a row. */
  static final String LONG =
      "select count(*) from trade.orders cross join trade.digits a cross join trade.digits b"
          + " cross join trade.digits c where a.n * b.n % 7 + c.n % 3 = o_orderkey % 5";

  /** A query that takes as long in its last stage. */
  static final String LONG_AT_THE_END =
      "with d as (select row_number() over (order by o_orderkey) as r from trade.orders)"
          + " select count(*) from d a, d b, d c, d e where a.r * b.r % 7 + c.r % 3 = e.r % 5";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final EmbeddedCluster cluster;
  private final AtomicInteger plans = new AtomicInteger();

  Trade(Path directory) {
    cluster = EmbeddedCluster.start(directory, 2, new WarehouseEngine());
    create("trade", ACTORS, tradeSchema(), rows());
    create(
        "secret",
        1,
        Map.of("columns", Map.of("id", "bigint not null"), "partitionBy", "id"),
        List.of(Map.of("id", 7L)));
  }

  private static Map<String, Object> tradeSchema() {
    Map<String, Object> orders = new LinkedHashMap<>();
    orders.put("o_orderkey", "bigint not null");
    orders.put("o_priority", "integer");
    orders.put("o_totalprice", "decimal(15,2)");
    orders.put("o_orderdate", "date");
    orders.put("o_at", "timestamp");
    orders.put("o_urgent", "boolean");
    orders.put("o_weight", "double");
    orders.put("o_comment", "varchar");
    Map<String, Object> tables = new LinkedHashMap<>();
    tables.put(
        "orders",
        Map.of("columns", orders, "partitionBy", "o_orderkey", "primaryKey", "o_orderkey"));
    tables.put("digits", Map.of("columns", Map.of("n", "bigint not null"), "replicated", true));
    return Map.of("tables", tables);
  }

  /** Returns orders of which every tenth has null in all columns that allow it. */
  private static List<Map<String, Object>> rows() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (long i = 0; i < ORDERS; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("@table", "orders");
      row.put("o_orderkey", i);
      if (i % 10 != 0) {
        row.put("o_priority", -i);
        row.put("o_totalprice", i + ".25");
        row.put("o_orderdate", "1998-12-%02d".formatted(1 + i % 28));
        row.put("o_at", "2024-02-29T12:34:56.%06d".formatted(i));
        row.put("o_urgent", i % 2 == 0);
        row.put("o_weight", i / 8.0);
      }
      row.put("o_comment", "order %08d, said 'möglich'".formatted(i));
      rows.add(row);
    }
    for (long i = 0; i < DIGITS; i++) {
      rows.add(Map.of("@table", "digits", "n", i));
    }
    return rows;
  }

  private void create(
      String name, int actors, Map<String, Object> schema, List<Map<String, Object>> rows) {
    TableDefinition definition =
        new TableDefinition(
            name, "warehouse", new Partitioner.Hash(actors), 1, Durability.NONE, schema);
    UniserveClient client = cluster.client();
    client.createTable(definition, TIMEOUT);
    TableRows.store(client, definition, rows);
  }

  /** Serves the cluster to this machine, without encryption. */
  RpcService serve() {
    return serve(new RpcSettings("127.0.0.1", 0, Access.onThisMachine(), Optional.empty()));
  }

  /** Serves the cluster. */
  RpcService serve(RpcSettings settings) {
    UniserveClient counting =
        new ForwardingClient(cluster.client()) {
          @Override
          public Queries queries() {
            return counting(super.queries());
          }
        };
    return new RpcService(new GuardedClient(counting), List.of(new FlightSqlGateway()), settings);
  }

  private Queries counting(Queries queries) {
    return (Queries)
        Proxy.newProxyInstance(
            Trade.class.getClassLoader(),
            new Class<?>[] {Queries.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("query")) {
                plans.incrementAndGet();
              }
              try {
                return method.invoke(queries, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Returns how many plans have been asked for. */
  int plans() {
    return plans.get();
  }

  /** Waits until no statement runs, here or in an actor. */
  static void awaitIdle() throws InterruptedException {
    await("statements still run", () -> !inActor() && !inGateway());
  }

  /** Waits until a statement runs in an actor. */
  static void awaitActor() throws InterruptedException {
    await("no statement has come to an actor", Trade::inActor);
  }

  private static void await(String otherwise, BooleanSupplier condition)
      throws InterruptedException {
    long until = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > until) {
        throw new AssertionError(otherwise);
      }
      Thread.sleep(10);
    }
  }

  private static boolean inGateway() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("rpc-work-"));
  }

  /** Waits until a statement runs where the query was asked. */
  static void awaitLastStage() throws InterruptedException {
    await("no statement has come to its last stage", () -> runs("duckdb.ClientStage"));
  }

  private static boolean inActor() {
    return runs("warehouse.LiveWarehouse");
  }

  private static boolean runs(String type) {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> frame.getClassName().endsWith(type));
  }

  @Override
  public void close() {
    cluster.close();
  }
}
