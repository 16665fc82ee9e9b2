package io.uniserve.bench.tpch;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The eight tables and the 22 queries, the same as in the demonstration.
 *
 * @param types the type of amounts
 * @param tables the schema of each table, as a warehouse reads it
 */
record TpchTables(ColumnTypes types, Map<String, Map<String, Object>> tables) {
  static final int QUERIES = 22;

  private static final String FOLDER = "/demo/tpch/";

  static TpchTables with(ColumnTypes types) {
    try {
      Map<String, Map<String, Map<String, Object>>> schema =
          new ObjectMapper().readValue(resource("schema.json"), new TypeReference<>() {});
      Map<String, Map<String, Object>> tables = schema.get("tables");
      tables.values().forEach(table -> table.put("columns", typed(table, types)));
      return new TpchTables(types, tables);
    } catch (IOException e) {
      throw new BenchException("The schema of TPC-H cannot be read: " + e.getMessage(), e);
    }
  }

  private static Map<String, String> typed(Map<String, Object> table, ColumnTypes types) {
    Map<String, String> typed = new LinkedHashMap<>();
    ((Map<?, ?>) table.get("columns"))
        .forEach((name, type) -> typed.put(name.toString(), types.of(type.toString())));
    return typed;
  }

  List<String> names() {
    return List.copyOf(tables.keySet());
  }

  /** Returns a table's columns with their types, in order. */
  @SuppressWarnings("unchecked")
  Map<String, String> columns(String table) {
    return (Map<String, String>) tables.get(table).get("columns");
  }

  /** Returns the statement that creates a table in any database. */
  String definition(String table) {
    return columns(table).entrySet().stream()
        .map(column -> column.getKey() + " " + column.getValue())
        .collect(Collectors.joining(", ", "CREATE TABLE " + table + " (", ")"));
  }

  /** Returns the query that reads a table's file in DuckDB, in the types of its columns. */
  String reading(String table, Path file) {
    return columns(table).entrySet().stream()
        .map(
            column ->
                "CAST(%s AS %s) AS %s"
                    .formatted(
                        column.getKey(),
                        column.getValue().replace(" not null", ""),
                        column.getKey()))
        .collect(Collectors.joining(", ", "SELECT ", " FROM read_parquet('" + file + "')"));
  }

  /** Returns a query by its number from 1, without the semicolon at its end. */
  static String query(int number) {
    return resource("q%02d.sql".formatted(number)).strip().replaceAll(";$", "");
  }

  private static String resource(String name) {
    try (InputStream in = TpchTables.class.getResourceAsStream(FOLDER + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new BenchException("The input " + name + " cannot be read", e);
    }
  }
}
