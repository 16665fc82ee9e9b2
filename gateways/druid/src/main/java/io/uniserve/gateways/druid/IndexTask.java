package io.uniserve.gateways.druid;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.druid.Druid;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.druid.data.input.InputFormat;
import org.apache.druid.data.input.impl.InlineInputSource;

/**
 * A task of ingestion as its sender wrote it.
 *
 * @param dataSource the table's name
 * @param schema the table's schema, if there is no such table yet
 * @param source the rows, as text
 * @param format the form of the text
 */
record IndexTask(
    String dataSource, Map<String, Object> schema, InlineInputSource source, InputFormat format) {
  private static final Set<String> TYPES = Set.of("index_parallel", "index");
  private static final List<String> SCHEMA =
      List.of("timestampSpec", "dimensionsSpec", "metricsSpec", "granularitySpec", "transformSpec");

  /**
   * Reads a task.
   *
   * @throws UniserveException naming the part that is wrong or not supported
   */
  static IndexTask read(byte[] body) {
    ObjectMapper json = Druid.get().json();
    try {
      JsonNode task = json.readTree(body);
      String type = task.path("type").asText();
      if (!TYPES.contains(type)) {
        throw unsupported("a task of type '" + Excerpt.of(type) + "'");
      }
      JsonNode spec = task.path("spec");
      JsonNode io = spec.path("ioConfig");
      String source = io.path("inputSource").path("type").asText();
      if (!source.equals("inline")) {
        throw unsupported("an inputSource of type '" + Excerpt.of(source) + "'");
      }
      if (!io.path("appendToExisting").asBoolean(false)) {
        throw unsupported("a task that replaces rows: set appendToExisting to true; it");
      }
      JsonNode data = spec.path("dataSchema");
      Map<String, Object> schema = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> part : data.properties()) {
        if (SCHEMA.contains(part.getKey())) {
          schema.put(part.getKey(), document(json, part));
        } else if (!part.getKey().equals("dataSource")) {
          throw unsupported("the part '" + Excerpt.of(part.getKey()) + "' of a dataSchema");
        }
      }
      return new IndexTask(
          data.path("dataSource").asText(),
          schema,
          json.treeToValue(io.get("inputSource"), InlineInputSource.class),
          json.treeToValue(io.path("inputFormat"), InputFormat.class));
    } catch (JsonProcessingException e) {
      throw UniserveException.invalid("the task is none of Druid: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw UniserveException.invalid("the task cannot be read: " + e.getMessage());
    }
  }

  /**
   * Returns a part of a schema as a document; the intervals of a granularity bound nothing here.
   */
  private static Object document(ObjectMapper json, Map.Entry<String, JsonNode> part)
      throws JsonProcessingException {
    if (part.getValue() instanceof ObjectNode object) {
      object.remove("intervals");
    }
    return json.readerFor(Object.class)
        .with(DeserializationFeature.USE_LONG_FOR_INTS)
        .readValue(part.getValue().toString());
  }

  private static UniserveException unsupported(String what) {
    return new UniserveException(ErrorCode.UNSUPPORTED, what + " is not supported");
  }
}
