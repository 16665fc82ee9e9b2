package io.uniserve.engines.warehouse;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import io.uniserve.api.Durability;
import io.uniserve.api.Partitioner;
import io.uniserve.api.TableDefinition;
import io.uniserve.testkit.LocalTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** TPC-H: its tables, data, queries and published answers. */
final class Tpch {
  private static final int BATCH_ROWS = 20_000;
  private static final Map<String, List<String>> COLUMNS = new LinkedHashMap<>();
  private static final Map<String, String> PARTITION_BY =
      Map.of(
          "lineitem", "l_orderkey",
          "orders", "o_orderkey",
          "customer", "c_custkey",
          "part", "p_partkey",
          "partsupp", "ps_partkey",
          "supplier", "s_suppkey");
  private static final Map<String, List<String>> PRIMARY_KEY =
      Map.of(
          "lineitem", List.of("l_orderkey", "l_linenumber"),
          "orders", List.of("o_orderkey"),
          "customer", List.of("c_custkey"),
          "part", List.of("p_partkey"),
          "partsupp", List.of("ps_partkey", "ps_suppkey"),
          "supplier", List.of("s_suppkey"),
          "nation", List.of("n_nationkey"),
          "region", List.of("r_regionkey"));

  static {
    add("region", "r_regionkey i", "r_name s", "r_comment s");
    add("nation", "n_nationkey i", "n_name s", "n_regionkey i", "n_comment s");
    add(
        "supplier",
        "s_suppkey i",
        "s_name s",
        "s_address s",
        "s_nationkey i",
        "s_phone s",
        "s_acctbal d",
        "s_comment s");
    add(
        "part",
        "p_partkey i",
        "p_name s",
        "p_mfgr s",
        "p_brand s",
        "p_type s",
        "p_size i",
        "p_container s",
        "p_retailprice d",
        "p_comment s");
    add(
        "partsupp",
        "ps_partkey i",
        "ps_suppkey i",
        "ps_availqty i",
        "ps_supplycost d",
        "ps_comment s");
    add(
        "customer",
        "c_custkey i",
        "c_name s",
        "c_address s",
        "c_nationkey i",
        "c_phone s",
        "c_acctbal d",
        "c_mktsegment s",
        "c_comment s");
    add(
        "orders",
        "o_orderkey i",
        "o_custkey i",
        "o_orderstatus s",
        "o_totalprice d",
        "o_orderdate t",
        "o_orderpriority s",
        "o_clerk s",
        "o_shippriority i",
        "o_comment s");
    add(
        "lineitem",
        "l_orderkey i",
        "l_partkey i",
        "l_suppkey i",
        "l_linenumber i",
        "l_quantity d",
        "l_extendedprice d",
        "l_discount d",
        "l_tax d",
        "l_returnflag s",
        "l_linestatus s",
        "l_shipdate t",
        "l_commitdate t",
        "l_receiptdate t",
        "l_shipinstruct s",
        "l_shipmode s",
        "l_comment s");
  }

  private Tpch() {}

  private static void add(String table, String... columns) {
    COLUMNS.put(table, List.of(columns));
  }

  /** All eight tables as one warehouse. */
  static TableDefinition definition(int actors) {
    Map<String, Object> tables = new LinkedHashMap<>();
    COLUMNS.forEach((name, columns) -> tables.put(name, table(name, columns)));
    return new TableDefinition(
        "tpch",
        WarehouseEngine.NAME,
        new Partitioner.Hash(actors),
        1,
        Durability.NONE,
        Map.of("tables", tables));
  }

  private static Map<String, Object> table(String name, List<String> columns) {
    Map<String, Object> types = new LinkedHashMap<>();
    for (String column : columns) {
      String type =
          switch (column.charAt(column.length() - 1)) {
            case 'i' -> "bigint";
            case 'd' -> "decimal(15,2)";
            case 't' -> "date";
            default -> "varchar";
          };
      types.put(column.substring(0, column.length() - 2), type + " not null");
    }
    Map<String, Object> table =
        new LinkedHashMap<>(Map.of("columns", types, "primaryKey", PRIMARY_KEY.get(name)));
    if (PARTITION_BY.containsKey(name)) {
      table.put("partitionBy", List.of(PARTITION_BY.get(name)));
    } else {
      table.put("replicated", true);
    }
    return table;
  }

  /** A warehouse with the data of a scale factor. */
  static LocalTable<WarehouseActor> load(int actors, double scale, Path directory)
      throws IOException {
    LocalTable<WarehouseActor> local =
        LocalTable.create(new WarehouseEngine(), definition(actors), directory);
    COLUMNS.keySet().forEach(name -> load(local, name, scale));
    return local;
  }

  private static void load(LocalTable<WarehouseActor> local, String name, double scale) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (TpchEntity entity : TpchTable.getTable(name).createGenerator(scale, 1, 1)) {
      rows.add(row(name, entity.toLine().split("\\|", -1)));
      if (rows.size() == BATCH_ROWS) {
        put(local, rows);
      }
    }
    put(local, rows);
  }

  private static Map<String, Object> row(String name, String[] values) {
    List<String> columns = COLUMNS.get(name);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put(WarehousePlanner.TABLE, name);
    for (int i = 0; i < columns.size(); i++) {
      row.put(columns.get(i).substring(0, columns.get(i).length() - 2), values[i]);
    }
    return row;
  }

  private static void put(LocalTable<WarehouseActor> local, List<Map<String, Object>> rows) {
    local.update(new PutRows(), new WarehousePlanner().records(local.definition(), rows));
    rows.clear();
  }

  /** A query's text. */
  static String query(int number) {
    return resource("/tpch/queries/q%02d.sql".formatted(number));
  }

  /** The names of an answer's columns. */
  static List<String> heads(int number, String scale) {
    return List.of(
        resource("/tpch/answers/sf%s/q%02d.csv".formatted(scale, number))
            .lines()
            .findFirst()
            .orElseThrow()
            .split("\\|"));
  }

  /** The published answer, a list of values for each row. */
  static List<List<String>> answer(int number, String scale) {
    return resource("/tpch/answers/sf%s/q%02d.csv".formatted(scale, number))
        .lines()
        .skip(1)
        .map(line -> List.of(line.split("\\|", -1)))
        .toList();
  }

  private static String resource(String name) {
    try (InputStream in = Tpch.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
