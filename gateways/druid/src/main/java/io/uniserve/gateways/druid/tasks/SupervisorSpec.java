package io.uniserve.gateways.druid.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamDefinition.OnBad;
import io.uniserve.runtime.wire.stream.StreamDefinition.Start;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * A supervisor of a topic of Kafka as its sender wrote it. What Druid has for tasks that read for a
 * while and then publish has no meaning here, and changes nothing.
 *
 * @param schema the table's name and schema
 * @param stream the stream that reads the topic
 * @param suspended true if it is not to be read for now
 */
record SupervisorSpec(GivenSchema schema, StreamDefinition stream, boolean suspended) {
  static final String TYPE = "kafka";
  static final String SERVERS = "bootstrap.servers";

  /** The format of streams whose records are objects of JSON. */
  private static final String JSON_LINES = "jsonl";

  private static final Set<String> PARTS =
      Set.of("type", "spec", "suspended", "dataSchema", "ioConfig", "tuningConfig", "context");
  private static final Set<String> SPEC_PARTS = Set.of("dataSchema", "ioConfig", "tuningConfig");

  /** The parts of an ioConfig that are about tasks, which change nothing. */
  private static final Set<String> IO_OF_TASKS =
      Set.of("type", "pollTimeout", "startDelay", "period", "taskDuration", "completionTimeout");

  /** The parts of a tuningConfig that are about tasks, which change nothing. */
  private static final Set<String> TUNING_OF_TASKS =
      Set.of(
          "type",
          "maxRowsInMemory",
          "maxBytesInMemory",
          "skipBytesInMemoryOverheadCheck",
          "maxRowsPerSegment",
          "maxTotalRows",
          "intermediatePersistPeriod",
          "maxPendingPersists",
          "handoffConditionTimeout",
          "workerThreads",
          "chatThreads",
          "chatRetries",
          "httpTimeout",
          "shutdownTimeout",
          "offsetFetchPeriod",
          "intermediateHandoffPeriod",
          "logParseExceptions",
          "maxSavedParseExceptions",
          "numPersistThreads");

  private static final String HOST_PORT = "(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9_.-]+):[0-9]{1,5}";

  /**
   * Reads a supervisor.
   *
   * @throws UniserveException naming the part that is wrong or not supported
   */
  static SupervisorSpec read(byte[] body) {
    ObjectMapper json = Druid.get().json();
    try {
      JsonNode supervisor = json.readTree(body);
      String type = supervisor.path("type").asText();
      if (type.isEmpty()) {
        throw UniserveException.invalid("the body is no supervisor: it has no 'type'");
      }
      if (!type.equals(TYPE)) {
        throw unsupported("a supervisor of type '" + Excerpt.of(type) + "'");
      }
      requireParts(supervisor, "a supervisor", PARTS);
      requireNothing(supervisor, "a supervisor", "context");
      // Druid also takes the three parts at the top.
      JsonNode spec = supervisor.has("spec") ? supervisor.path("spec") : supervisor;
      if (supervisor.has("spec")) {
        requireParts(spec, "a spec", SPEC_PARTS);
      }
      GivenSchema schema = GivenSchema.read(json, spec.path("dataSchema"));
      if (schema.dataSource().isEmpty()) {
        throw UniserveException.invalid("the dataSchema has no dataSource");
      }
      return new SupervisorSpec(
          schema,
          stream(schema.dataSource(), spec.path("ioConfig"), onBad(spec.path("tuningConfig"))),
          supervisor.path("suspended").asBoolean(false));
    } catch (IOException e) {
      throw UniserveException.invalid("the supervisor is none of Druid: " + e.getMessage());
    }
  }

  private static StreamDefinition stream(String dataSource, JsonNode io, OnBad onBad) {
    String servers = "";
    String topic = "";
    Start start = Start.LATEST;
    boolean formatted = false;
    for (Map.Entry<String, JsonNode> part : io.properties()) {
      JsonNode value = part.getValue();
      switch (part.getKey()) {
        case "topic" -> topic = value.asText();
        case "consumerProperties" -> servers = servers(value);
        case "inputFormat" -> formatted = requireJson(value);
        case "useEarliestOffset", "useEarliestSequenceNumber" ->
            start = value.asBoolean(false) ? Start.EARLIEST : Start.LATEST;
        case "taskCount", "replicas" -> {
          if (value.asInt(0) != 1) {
            throw unsupported(
                "an ioConfig with a "
                    + part.getKey()
                    + " of "
                    + Excerpt.of(value)
                    + ": one process reads all partitions, and another goes on if it fails, so a "
                    + part.getKey()
                    + " other than 1");
          }
        }
        case "stream" -> {
          // another name of the topic, which Druid tells beside it
          if (!value.asText().equals(io.path("topic").asText())) {
            throw UniserveException.invalid(
                "the ioConfig has another 'stream' than its topic: '" + Excerpt.of(value) + "'");
          }
        }
        default -> {
          boolean meansNothing = IO_OF_TASKS.contains(part.getKey()) || isNothing(value);
          if (!meansNothing) {
            throw unsupported("the part '" + Excerpt.of(part.getKey()) + "' of an ioConfig");
          }
        }
      }
    }
    if (!formatted) {
      throw UniserveException.invalid("the ioConfig has no inputFormat");
    }
    if (servers.isEmpty()) {
      throw UniserveException.invalid(
          "the ioConfig has no consumerProperties with '" + SERVERS + "'");
    }
    StreamDefinition stream =
        new StreamDefinition(
            dataSource, dataSource, TYPE, servers, topic, JSON_LINES, start, onBad);
    stream.requireValid();
    return stream;
  }

  private static String servers(JsonNode properties) {
    for (Map.Entry<String, JsonNode> property : properties.properties()) {
      if (!property.getKey().equals(SERVERS)) {
        throw unsupported(
            "the property '"
                + Excerpt.of(property.getKey())
                + "' of consumerProperties (settings of Kafka's client are in the file that"
                + " UNISERVE_STREAM_PROPERTIES names)");
      }
    }
    String servers = properties.path(SERVERS).asText();
    for (String one : servers.split(",", -1)) {
      if (!one.strip().matches(HOST_PORT)) {
        throw UniserveException.invalid(
            SERVERS
                + ": must be host:port, or several with commas between, not '"
                + Excerpt.of(servers)
                + "'");
      }
    }
    return servers;
  }

  private static boolean requireJson(JsonNode format) {
    String type = format.path("type").asText();
    if (!type.equals("json")) {
      throw unsupported("an inputFormat of type '" + Excerpt.of(type) + "' of a supervisor");
    }
    for (Map.Entry<String, JsonNode> part : format.properties()) {
      if (!part.getKey().equals("type") && !isNothing(part.getValue())) {
        throw unsupported(
            "the part '" + Excerpt.of(part.getKey()) + "' of the inputFormat of a supervisor");
      }
    }
    return true;
  }

  /** Returns what becomes of a record that cannot be read: Druid skips any number by default. */
  private static OnBad onBad(JsonNode tuning) {
    OnBad onBad = OnBad.SKIP;
    for (Map.Entry<String, JsonNode> part : tuning.properties()) {
      JsonNode value = part.getValue();
      switch (part.getKey()) {
        case "maxParseExceptions" -> {
          if (value.asInt(-1) != 0 && value.asInt(-1) != Integer.MAX_VALUE) {
            throw unsupported(
                "a tuningConfig with maxParseExceptions " + Excerpt.of(value) + ", not 0 or all,");
          }
          onBad = value.asInt() == 0 ? OnBad.STOP : onBad;
        }
        case "reportParseExceptions" -> onBad = value.asBoolean(false) ? OnBad.STOP : onBad;
        default -> {
          boolean meansNothing = TUNING_OF_TASKS.contains(part.getKey()) || isNothing(value);
          if (!meansNothing) {
            throw unsupported("the part '" + Excerpt.of(part.getKey()) + "' of a tuningConfig");
          }
        }
      }
    }
    return onBad;
  }

  private static boolean isNothing(JsonNode value) {
    return value.isNull()
        || value.isContainerNode() && value.isEmpty()
        || value.isBoolean() && !value.asBoolean();
  }

  private static void requireNothing(JsonNode node, String what, String part) {
    if (node.has(part) && !isNothing(node.path(part))) {
      throw unsupported("the part '" + part + "' of " + what);
    }
  }

  private static void requireParts(JsonNode node, String what, Set<String> known) {
    for (Map.Entry<String, JsonNode> part : node.properties()) {
      if (!known.contains(part.getKey())) {
        throw unsupported("the part '" + Excerpt.of(part.getKey()) + "' of " + what);
      }
    }
  }

  private static UniserveException unsupported(String what) {
    return new UniserveException(ErrorCode.UNSUPPORTED, what + " is not supported");
  }
}
