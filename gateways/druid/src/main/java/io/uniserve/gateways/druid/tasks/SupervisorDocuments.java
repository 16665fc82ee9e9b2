package io.uniserve.gateways.druid.tasks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.TableDefinition;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.runtime.wire.stream.SkippedRecord;
import io.uniserve.runtime.wire.stream.StreamDefinition.OnBad;
import io.uniserve.runtime.wire.stream.StreamDefinition.Start;
import io.uniserve.runtime.wire.stream.StreamPartition;
import io.uniserve.runtime.wire.stream.StreamState;
import io.uniserve.runtime.wire.stream.StreamState.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Streams as Druid tells of supervisors. */
final class SupervisorDocuments {
  private SupervisorDocuments() {}

  /** Returns a supervisor's description, as it would be sent. */
  static Map<String, Object> spec(StreamState stream, TableDefinition table) {
    Map<String, Object> io = new LinkedHashMap<>();
    io.put("type", SupervisorSpec.TYPE);
    io.put("topic", stream.definition().topic());
    io.put("inputFormat", Map.of("type", "json"));
    io.put("consumerProperties", Map.of(SupervisorSpec.SERVERS, stream.definition().address()));
    io.put("taskCount", 1);
    io.put("replicas", 1);
    io.put("useEarliestOffset", stream.definition().start() == Start.EARLIEST);
    io.put("stream", stream.definition().topic());
    io.put("useEarliestSequenceNumber", stream.definition().start() == Start.EARLIEST);
    Map<String, Object> tuning = new LinkedHashMap<>();
    tuning.put("type", SupervisorSpec.TYPE);
    tuning.put(
        "maxParseExceptions", stream.definition().onBad() == OnBad.STOP ? 0 : Integer.MAX_VALUE);
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("dataSchema", Druid.get().json().valueToTree(OlapPlanner.schema(table).druid()));
    spec.put("ioConfig", io);
    spec.put("tuningConfig", tuning);
    Map<String, Object> supervisor = new LinkedHashMap<>();
    supervisor.put("type", SupervisorSpec.TYPE);
    supervisor.put("spec", spec);
    supervisor.put("suspended", stream.status() == Status.PAUSED);
    return supervisor;
  }

  /** Returns the name that Druid has for a stream's condition. */
  static String state(StreamState stream) {
    return switch (stream.status()) {
      case RUNNING -> stream.runner().isEmpty() ? "PENDING" : "RUNNING";
      case PAUSED -> "SUSPENDED";
      case FAILED -> "UNHEALTHY_TASKS";
      case ENDED -> "STOPPING";
    };
  }

  static boolean isHealthy(StreamState stream) {
    return stream.status() != Status.FAILED;
  }

  /** Returns a supervisor's condition alone. */
  static Map<String, Object> condition(StreamState stream) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("id", stream.name());
    document.put("state", state(stream));
    document.put("detailedState", state(stream));
    document.put("healthy", isHealthy(stream));
    document.put("suspended", stream.status() == Status.PAUSED);
    return document;
  }

  /** Returns a supervisor's progress. The stream's reader is its one task. */
  static Map<String, Object> status(StreamState stream) {
    Map<String, Object> payload = new LinkedHashMap<>();
    payload.put("dataSource", stream.definition().table());
    payload.put("stream", stream.definition().topic());
    payload.put("partitions", stream.partitions().size());
    payload.put("replicas", 1);
    payload.put("durationSeconds", 0);
    payload.put("activeTasks", tasks(stream));
    payload.put("publishingTasks", List.of());
    payload.put("latestOffsets", offsets(stream, StreamPartition::end));
    payload.put("minimumLag", offsets(stream, StreamPartition::lag));
    payload.put("aggregateLag", stream.lag());
    payload.put("suspended", stream.status() == Status.PAUSED);
    payload.put("healthy", isHealthy(stream));
    payload.put("state", state(stream));
    payload.put("detailedState", state(stream));
    payload.put("recentErrors", errors(stream));
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("id", stream.name());
    document.put("generationTime", Instant.now().toString());
    document.put("payload", payload);
    return document;
  }

  private static List<Map<String, Object>> tasks(StreamState stream) {
    if (stream.status() != Status.RUNNING || stream.runner().isEmpty()) {
      return List.of();
    }
    Map<String, Object> task = new LinkedHashMap<>();
    task.put("id", "index_kafka_" + stream.name() + "_" + stream.runner());
    task.put("type", "ACTIVE");
    task.put("startingOffsets", offsets(stream, StreamPartition::begun));
    task.put("currentOffsets", offsets(stream, StreamPartition::next));
    task.put("lag", offsets(stream, StreamPartition::lag));
    return List.of(task);
  }

  private static Map<String, Long> offsets(
      StreamState stream, ToLongFunction<StreamPartition> what) {
    Map<String, Long> offsets = new LinkedHashMap<>();
    stream
        .partitions()
        .forEach(one -> offsets.put(Integer.toString(one.number()), what.applyAsLong(one)));
    return offsets;
  }

  private static List<Map<String, Object>> errors(StreamState stream) {
    List<Map<String, Object>> errors = new ArrayList<>();
    if (stream.status() == Status.FAILED) {
      errors.add(error("StreamException", stream.why()));
    }
    for (SkippedRecord record : stream.skipped()) {
      errors.add(
          error(
              "ParseException",
              "record "
                  + record.offset()
                  + " of partition "
                  + record.partition()
                  + " was skipped: "
                  + record.why()));
    }
    return errors;
  }

  private static Map<String, Object> error(String kind, String message) {
    return Map.of("exceptionClass", kind, "message", message, "streamException", false);
  }

  /** Returns a supervisor as a row of the table {@code sys.supervisors}. */
  static Object[] row(StreamState stream, TableDefinition table) {
    ObjectMapper json = Druid.get().json();
    try {
      return new Object[] {
        stream.name(),
        state(stream),
        state(stream),
        isHealthy(stream) ? 1L : 0L,
        SupervisorSpec.TYPE,
        stream.definition().topic(),
        stream.status() == Status.PAUSED ? 1L : 0L,
        json.writeValueAsString(spec(stream, table))
      };
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
