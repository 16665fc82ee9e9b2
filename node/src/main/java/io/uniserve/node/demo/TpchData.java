package io.uniserve.node.demo;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** TPC-H: its schema, rows, queries and the published answers at scale factor 0.1. */
final class TpchData {
  static final int QUERIES = 22;
  static final long ROWS = 866_602;

  /** The scale factor of the answers. */
  static final double SCALE = 0.1;

  private TpchData() {}

  /** Returns the schema of a warehouse with all eight tables. */
  static Map<String, Object> schema() {
    return Settings.object("the schema", Json.parse(resource("schema.json")));
  }

  /** Returns the tables' names. */
  static List<String> tables() {
    return List.copyOf(Settings.object("tables", schema().get("tables")).keySet());
  }

  /** Returns the rows of a table, made on demand. */
  static Iterator<Map<String, Object>> rows(String name, double scale) {
    Map<String, Object> tables = Settings.object("tables", schema().get("tables"));
    Map<String, Object> table = Settings.object(name, tables.get(name));
    List<String> columns = List.copyOf(Settings.object("columns", table.get("columns")).keySet());
    Iterable<? extends TpchEntity> entities = TpchTable.getTable(name).createGenerator(scale, 1, 1);
    return StreamSupport.stream(entities.spliterator(), false)
        .<Map<String, Object>>map(entity -> row(name, columns, entity.toLine().split("\\|", -1)))
        .iterator();
  }

  private static Map<String, Object> row(String table, List<String> columns, String[] values) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("@table", table);
    for (int i = 0; i < columns.size(); i++) {
      row.put(columns.get(i), values[i]);
    }
    return row;
  }

  /** Returns a query, by its number from 1. */
  static String query(int number) {
    return resource("q%02d.sql".formatted(number));
  }

  /** Returns the answer to a query, line by line; the first names the columns. */
  static List<List<String>> answer(int number) {
    return resource("q%02d.csv".formatted(number))
        .lines()
        .map(line -> List.of(line.split("\\|", -1)))
        .toList();
  }

  private static String resource(String name) {
    try (InputStream in = TpchData.class.getResourceAsStream("/demo/tpch/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
