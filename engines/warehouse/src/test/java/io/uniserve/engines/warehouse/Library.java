package io.uniserve.engines.warehouse;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.changes.PutRows;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A small warehouse with values at the edges of their types: a library, its readers and their
 * loans.
 */
public final class Library {
  private Library() {}

  /** The types that only DuckDB has, and what they are in a plain library. */
  private static final Map<String, String> PLAIN =
      Map.of(
          "timestamp not null",
          "date not null",
          "decimal(38,0)",
          "decimal(18,0)",
          "decimal(20,4)",
          "decimal(12,4)");

  static TableDefinition definition(int actors) {
    return definition(new WarehouseEngine(), actors, false);
  }

  private static TableDefinition definition(WarehouseEngine engine, int actors, boolean plain) {
    Map<String, Object> tables = new LinkedHashMap<>();
    tables.put(
        "book",
        table(
            Map.of("partitionBy", List.of("id"), "primaryKey", List.of("id")),
            "id bigint not null",
            "title varchar",
            "price decimal(10,2)",
            "published date",
            "weight double",
            "pages integer",
            "lent boolean",
            "shelf varchar",
            "big decimal(38,0)"));
    tables.put(
        "loan",
        table(
            Map.of(
                "partitionBy",
                List.of("book_id"),
                "primaryKey",
                List.of("book_id", "reader_id", "since")),
            "book_id bigint not null",
            "reader_id bigint not null",
            "since timestamp not null",
            "days integer"));
    tables.put(
        "reader",
        table(
            Map.of("partitionBy", List.of("name"), "primaryKey", List.of("name")),
            "id bigint not null",
            "name varchar not null",
            "born date",
            "balance decimal(20,4)"));
    tables.put(
        "shelf", table(Map.of("replicated", true), "code varchar not null", "floor integer"));
    tables.put(
        "nothing",
        table(Map.of("partitionBy", List.of("id")), "id bigint not null", "what varchar"));
    tables.put(
        "log",
        table(
            Map.of("partitionBy", List.of("day", "kind")),
            "day date not null",
            "kind varchar not null",
            "n integer"));
    if (plain) {
      tables.values().forEach(Library::simplify);
    }
    return new TableDefinition(
        "library",
        engine.name(),
        new Partitioner.Hash(actors),
        1,
        Durability.NONE,
        Map.of("tables", tables));
  }

  @SuppressWarnings("unchecked")
  private static void simplify(Object table) {
    ((Map<String, String>) ((Map<?, ?>) table).get("columns"))
        .replaceAll((column, type) -> PLAIN.getOrDefault(type, type));
  }

  private static Map<String, Object> table(Map<String, Object> layout, String... columns) {
    Map<String, Object> types = new LinkedHashMap<>();
    for (String column : columns) {
      types.put(
          column.substring(0, column.indexOf(' ')), column.substring(column.indexOf(' ') + 1));
    }
    Map<String, Object> table = new LinkedHashMap<>(layout);
    table.put("columns", types);
    return table;
  }

  static LocalTable<WarehouseActor> open(int actors, Path directory) throws IOException {
    return open(new WarehouseEngine(), actors, false, directory);
  }

  /** A library whose types and values any engine has. */
  public static LocalTable<WarehouseActor> openPlain(
      WarehouseEngine engine, int actors, Path directory) throws IOException {
    return open(engine, actors, true, directory);
  }

  private static LocalTable<WarehouseActor> open(
      WarehouseEngine engine, int actors, boolean plain, Path directory) throws IOException {
    LocalTable<WarehouseActor> local =
        LocalTable.create(engine, definition(engine, actors, plain), directory);
    List<Map<String, Object>> rows = new ArrayList<>();
    String[] titles = {
      "Emma", "O'Hara’s \"Cat\"", "Ünïcödé ★", "", "100%_sure", "two\nlines", "emma", null
    };
    String[] shelves = {"A", "B", "C", null, "Z"};
    for (int i = 1; i <= 40; i++) {
      rows.add(
          row(
              "book",
              "id",
              (long) i * 7 - 50,
              "title",
              titles[i % titles.length],
              "price",
              i % 9 == 0 ? null : i + ".%02d".formatted(i * 37 % 100),
              "published",
              i % 11 == 0 ? null : "19%02d-%02d-%02d".formatted(i + 40, i % 12 + 1, i % 28 + 1),
              "weight",
              i % 6 == 0 ? null : i / 8.0,
              "pages",
              i % 10 == 0 ? null : i * i % 300 - 20,
              "lent",
              i % 5 == 0 ? null : i % 2 == 0,
              "shelf",
              shelves[i % shelves.length],
              "big",
              i % 4 == 0 ? null : "9".repeat(i % (plain ? 18 : 30) + 1)));
    }
    for (int i = 1; i <= 60; i++) {
      rows.add(
          row(
              "loan",
              "book_id",
              (long) (i * 13 % 45) * 7 - 50,
              "reader_id",
              (long) (i % 12),
              "since",
              "2024-%02d-%02d%s"
                  .formatted(
                      i % 12 + 1,
                      i % 28 + 1,
                      plain ? "" : " %02d:30:00.12345%d".formatted(i % 24, i % 10)),
              "days",
              i % 8 == 0 ? null : i % 31));
    }
    String[] names = {"Ada", "Bob", "Čapek", "d'Arc", "Eve", "Ødegård", "李", "Zoë", "ada", "Max"};
    for (int i = 0; i < names.length; i++) {
      rows.add(
          row(
              "reader",
              "id",
              (long) i,
              "name",
              names[i],
              "born",
              i == 3 ? null : "19%02d-02-%02d".formatted(60 + i, 20 + i % 8),
              "balance",
              i % 4 == 0 ? null : "-%d.%04d".formatted(i * 1000, i * 1111)));
    }
    rows.add(row("shelf", "code", "A", "floor", 1L));
    rows.add(row("shelf", "code", "B", "floor", 1L));
    rows.add(row("shelf", "code", "C", "floor", null));
    rows.add(row("shelf", "code", "D", "floor", 2L));
    for (int i = 0; i < 30; i++) {
      rows.add(
          row(
              "log",
              "day",
              "2024-03-%02d".formatted(i % 5 + 1),
              "kind",
              i % 3 == 0 ? "in" : "out",
              "n",
              (long) i));
    }
    local.update(
        new Batch(new PutRows(), new WarehousePlanner().records(local.definition(), rows)));
    return local;
  }

  private static Map<String, Object> row(String table, Object... fields) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put(WarehousePlanner.TABLE, table);
    for (int i = 0; i < fields.length; i += 2) {
      row.put((String) fields[i], fields[i + 1]);
    }
    return row;
  }
}
