package io.uniserve.gateways.druid.tasks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.engines.olap.rows.OlapSchema;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The {@code dataSchema} of a task or a supervisor.
 *
 * @param dataSource the table's name
 * @param schema the table's schema, if there is no such table yet
 */
record GivenSchema(String dataSource, Map<String, Object> schema) {
  private static final int ACTORS = 8;
  private static final int REPLICAS = 2;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final List<String> PARTS =
      List.of("timestampSpec", "dimensionsSpec", "metricsSpec", "granularitySpec", "transformSpec");

  /**
   * Reads a schema.
   *
   * @throws UniserveException naming the part that is not supported
   */
  static GivenSchema read(ObjectMapper json, JsonNode data) throws JsonProcessingException {
    Map<String, Object> schema = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> part : data.properties()) {
      if (PARTS.contains(part.getKey())) {
        schema.put(part.getKey(), document(json, part));
      } else if (!part.getKey().equals("dataSource")) {
        throw new UniserveException(
            ErrorCode.UNSUPPORTED,
            "the part '" + Excerpt.of(part.getKey()) + "' of a dataSchema is not supported");
      }
    }
    return new GivenSchema(data.path("dataSource").asText(), schema);
  }

  /** Returns a part of a schema as a document; the intervals are a task's, not the table's. */
  private static Object document(ObjectMapper json, Map.Entry<String, JsonNode> part)
      throws JsonProcessingException {
    if (part.getValue() instanceof ObjectNode object) {
      object.remove("intervals");
    }
    return json.readerFor(Object.class)
        .with(DeserializationFeature.USE_LONG_FOR_INTS)
        .readValue(part.getValue().toString());
  }

  /**
   * Returns the table, which is made if there is none.
   *
   * @throws UniserveException if it is of another engine, or the schema is wrong
   */
  TableDefinition table(UniserveClient client) {
    Optional<TableState> known = client.table(dataSource);
    if (known.isPresent()) {
      TableDefinition definition = known.get().definition();
      if (!definition.engine().equals(OlapEngine.NAME)) {
        throw UniserveException.invalid(
            "table '" + definition.name() + "' is not of engine 'olap'");
      }
      return definition;
    }
    TableDefinition definition = made();
    OlapPlanner.schema(definition);
    return client.createTable(definition, TIMEOUT).definition();
  }

  private TableDefinition made() {
    return new TableDefinition(
        dataSource,
        OlapEngine.NAME,
        new Partitioner.Hash(ACTORS),
        REPLICAS,
        Durability.ASYNCHRONOUS,
        schema);
  }

  /**
   * Requires that a table reads rows as this schema says.
   *
   * @throws UniserveException naming the first part in which they differ
   */
  void requireThatOf(ObjectMapper json, TableDefinition table) {
    JsonNode given = json.valueToTree(OlapSchema.of(made()).druid());
    JsonNode known = json.valueToTree(OlapPlanner.schema(table).druid());
    for (String part : PARTS) {
      if (!given.path(part).equals(known.path(part))) {
        throw UniserveException.invalid(
            "the "
                + part
                + " of the dataSchema is another than that of table '"
                + table.name()
                + "', whose rows are read by its own");
      }
    }
  }
}
