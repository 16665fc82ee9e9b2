package io.uniserve.gateways.druid.tasks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.druid.Druid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.druid.data.input.InputFormat;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.joda.time.Interval;

/**
 * A task of ingestion as its sender wrote it.
 *
 * @param id the name that the caller gave it, under which it can be sent again
 * @param type its type
 * @param schema the table's name and schema
 * @param source the place of the rows, in Druid's JSON
 * @param format the form of the rows
 * @param replacing the stored rows that are replaced
 * @param intervals the intervals of time that rows must be in; any if there are none
 */
record IndexTask(
    Optional<String> id,
    String type,
    GivenSchema schema,
    JsonNode source,
    InputFormat format,
    Replacing replacing,
    List<Interval> intervals) {
  private static final int ID_MAX = 200;
  private static final Set<String> TYPES = Set.of("index_parallel", "index");

  /** The stored rows that a task replaces by its own. */
  sealed interface Replacing {
    /** No rows are replaced. */
    record Nothing() implements Replacing {}

    /** Rows are replaced in each stretch of time, of this granularity, that has new rows. */
    record Chunks(Granularity granularity) implements Replacing {}

    /** All rows of the task's intervals are replaced. */
    record Intervals() implements Replacing {}
  }

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
      JsonNode data = spec.path("dataSchema");
      require(data, "dataSchema", "dataSource");
      require(io, "ioConfig", "inputSource");
      require(io, "ioConfig", "inputFormat");
      JsonNode granularity = data.path("granularitySpec");
      List<Interval> intervals = new ArrayList<>();
      for (JsonNode each : granularity.path("intervals")) {
        intervals.add(json.treeToValue(each, Interval.class));
      }
      Replacing replacing = replacing(json, io, granularity, !intervals.isEmpty());
      GivenSchema schema = GivenSchema.read(json, data);
      return new IndexTask(
          id(task.path("id")),
          type,
          schema,
          io.path("inputSource"),
          json.treeToValue(io.path("inputFormat"), InputFormat.class),
          replacing,
          intervals);
    } catch (JsonProcessingException e) {
      throw UniserveException.invalid("the task is none of Druid: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw UniserveException.invalid("the task cannot be read: " + e.getMessage());
    }
  }

  private static Optional<String> id(JsonNode given) {
    if (given.isMissingNode() || given.isNull()) {
      return Optional.empty();
    }
    String id = given.asText();
    if (!given.isTextual() || id.isBlank() || id.length() > ID_MAX || id.contains("/")) {
      throw UniserveException.invalid(
          "'"
              + Excerpt.of(given.toString())
              + "' is no id of a task: a text of 1 to "
              + ID_MAX
              + " characters, without a slash");
    }
    return Optional.of(id);
  }

  private static Replacing replacing(
      ObjectMapper json, JsonNode io, JsonNode granularity, boolean intervals)
      throws JsonProcessingException {
    boolean append = io.path("appendToExisting").asBoolean(false);
    boolean drop = io.path("dropExisting").asBoolean(false);
    if (append && drop) {
      throw UniserveException.invalid("a task cannot both appendToExisting and dropExisting");
    }
    if (append) {
      return new Replacing.Nothing();
    }
    if (drop && intervals) {
      return new Replacing.Intervals();
    }
    if (drop) {
      throw UniserveException.invalid("dropExisting needs the intervals of a granularitySpec");
    }
    JsonNode chunks = granularity.path("segmentGranularity");
    return new Replacing.Chunks(
        chunks.isMissingNode() ? Granularities.DAY : json.treeToValue(chunks, Granularity.class));
  }

  private static void require(JsonNode object, String name, String part) {
    if (!object.hasNonNull(part)) {
      throw UniserveException.invalid(
          "the task is none of Druid: its spec has no '" + name + "' with '" + part + "'");
    }
  }

  private static UniserveException unsupported(String what) {
    return new UniserveException(ErrorCode.UNSUPPORTED, what + " is not supported");
  }
}
