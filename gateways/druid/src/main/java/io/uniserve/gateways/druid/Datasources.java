package io.uniserve.gateways.druid;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.TableState;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.indexing.DataSchema;

/** The datasources, and their dimensions and metrics as their schemas name them. */
final class Datasources {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final UniserveClient client;

  Datasources(UniserveClient client) {
    this.client = client;
  }

  /** Returns the tables of this engine that the caller may read. */
  Map<String, TableDefinition> readable() {
    Map<String, TableDefinition> tables = new TreeMap<>();
    for (TableState state : client.state().tables().values()) {
      TableDefinition table = state.definition();
      if (table.engine().equals(OlapEngine.NAME)) {
        try {
          client.queries().requireRead(table.name());
          tables.put(table.name(), table);
        } catch (UniserveException e) {
          if (e.code() != ErrorCode.FORBIDDEN) {
            throw e;
          }
        }
      }
    }
    return tables;
  }

  void list(HttpServletResponse response) throws IOException {
    write(response, new ArrayList<>(readable().keySet()));
  }

  /** Shows a datasource, or its dimensions, or its metrics. */
  void show(String path, HttpServletResponse response) throws IOException {
    String[] parts = path.split("/", 2);
    TableDefinition table = readable().get(parts[0]);
    if (table == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "there is no datasource '" + Excerpt.of(parts[0]) + "'");
    }
    DataSchema schema = OlapPlanner.schema(table).druid();
    List<String> metrics = new ArrayList<>();
    for (AggregatorFactory metric : schema.getAggregators()) {
      metrics.add(metric.getName());
    }
    List<String> dimensions = schema.getDimensionsSpec().getDimensionNames();
    switch (parts.length == 1 ? "" : parts[1]) {
      case "" -> write(response, Map.of("dimensions", dimensions, "metrics", metrics));
      case "dimensions" -> write(response, dimensions);
      case "metrics" -> write(response, metrics);
      default ->
          throw new UniserveException(
              ErrorCode.NOT_FOUND, "a datasource has no '" + Excerpt.of(parts[1]) + "'");
    }
  }

  private static void write(HttpServletResponse response, Object value) throws IOException {
    response.setContentType("application/json");
    JSON.writeValue(response.getOutputStream(), value);
  }
}
