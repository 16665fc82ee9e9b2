package io.uniserve.engines.warehouse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.changes.PutRows;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalTable;
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
public final class Tpch {
  private static final int BATCH_ROWS = 20_000;

  private Tpch() {}

  /** All eight tables as one warehouse. */
  public static TableDefinition definition(WarehouseEngine engine, int actors) {
    return new TableDefinition(
        "tpch",
        engine.name(),
        new Partitioner.Hash(actors),
        1,
        Durability.NONE,
        Map.of("tables", tables()));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Map<String, Object>> tables() {
    try {
      return (Map<String, Map<String, Object>>)
          new ObjectMapper().readValue(resource("/tpch/schema.json"), Map.class).get("tables");
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A warehouse with the data of a scale factor. */
  public static LocalTable<WarehouseActor> load(
      WarehouseEngine engine, int actors, double scale, Path directory) throws IOException {
    LocalTable<WarehouseActor> local =
        LocalTable.create(engine, definition(engine, actors), directory);
    tables().keySet().forEach(name -> load(local, name, scale));
    return local;
  }

  private static void load(LocalTable<WarehouseActor> local, String name, double scale) {
    List<String> columns =
        ((Map<?, ?>) tables().get(name).get("columns"))
            .keySet().stream().map(String::valueOf).toList();
    List<Map<String, Object>> rows = new ArrayList<>();
    for (TpchEntity entity : TpchTable.getTable(name).createGenerator(scale, 1, 1)) {
      rows.add(row(name, columns, entity.toLine().split("\\|", -1)));
      if (rows.size() == BATCH_ROWS) {
        put(local, rows);
      }
    }
    put(local, rows);
  }

  private static Map<String, Object> row(String name, List<String> columns, String[] values) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put(WarehousePlanner.TABLE, name);
    for (int i = 0; i < columns.size(); i++) {
      row.put(columns.get(i), values[i]);
    }
    return row;
  }

  private static void put(LocalTable<WarehouseActor> local, List<Map<String, Object>> rows) {
    local.update(
        new Batch(new PutRows(), new WarehousePlanner().records(local.definition(), rows)));
    rows.clear();
  }

  /** A query's text. */
  public static String query(int number) {
    return resource("/tpch/q%02d.sql".formatted(number));
  }

  /** The names of an answer's columns. */
  public static List<String> heads(int number, String scale) {
    return List.of(published(number, scale).lines().findFirst().orElseThrow().split("\\|"));
  }

  /** The published answer, a list of values for each row. */
  static List<List<String>> answer(int number, String scale) {
    return published(number, scale)
        .lines()
        .skip(1)
        .map(line -> List.of(line.split("\\|", -1)))
        .toList();
  }

  private static String published(int number, String scale) {
    return resource(
        (scale.equals("0.1") ? "/tpch" : "/tpch/answers/sf" + scale)
            + "/q%02d.csv".formatted(number));
  }

  private static String resource(String name) {
    try (InputStream in = Tpch.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
