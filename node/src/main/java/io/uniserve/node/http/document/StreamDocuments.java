package io.uniserve.node.http.document;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.stream.SkippedRecord;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamDefinition.OnBad;
import io.uniserve.runtime.wire.stream.StreamDefinition.Start;
import io.uniserve.runtime.wire.stream.StreamPartition;
import io.uniserve.runtime.wire.stream.StreamState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Streams as JSON, and the reading of requests for them. */
public final class StreamDocuments {
  private StreamDocuments() {}

  /** Returns the description of a stream in a request; checks what it names. */
  public static StreamDefinition definition(Settings request) {
    String table = request.text("table");
    StreamDefinition definition =
        new StreamDefinition(
            request.text("name", table),
            table,
            request.text("source", "kafka"),
            request.text("address"),
            request.text("topic"),
            request.text("format", "jsonl"),
            choice("from", request.text("from", "earliest"), Start.values()),
            choice("onBad", request.text("onBad", "stop"), OnBad.values()));
    request.finish();
    definition.requireValid();
    return definition;
  }

  private static <E extends Enum<E>> E choice(String name, String text, E[] choices) {
    List<String> names = new ArrayList<>();
    for (E choice : choices) {
      String known = word(choice);
      if (known.equals(text)) {
        return choice;
      }
      names.add(known);
    }
    throw UniserveException.invalid(
        name + ": must be " + String.join(" or ", names) + ", not '" + Excerpt.of(text) + "'");
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Describes a stream.
   *
   * @param problem the trouble that its reader waits to pass, if this process reads it
   */
  public static Map<String, Object> describe(
      ClusterState state, StreamState stream, Optional<String> problem) {
    StreamDefinition definition = stream.definition();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", stream.name());
    document.put(
        "table",
        Optional.ofNullable(state.tables().get(stream.table()))
            .map(table -> table.definition().name())
            .orElse(definition.table()));
    document.put("source", definition.source());
    document.put("address", definition.address());
    document.put("topic", definition.topic());
    document.put("format", definition.format());
    document.put("from", word(definition.start()));
    document.put("onBad", word(definition.onBad()));
    document.put("status", word(stream.status()));
    if (!stream.why().isEmpty()) {
      document.put("why", stream.why());
    }
    problem.ifPresent(text -> document.put("problem", text));
    document.put("runner", stream.runner());
    document.put("lag", stream.lag());
    document.put("skipped", stream.partitions().stream().mapToLong(StreamPartition::skipped).sum());
    document.put(
        "partitions", stream.partitions().stream().map(StreamDocuments::partition).toList());
    document.put(
        "skippedRecords", stream.skipped().stream().map(StreamDocuments::skipped).toList());
    return document;
  }

  private static Map<String, Object> partition(StreamPartition partition) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("partition", partition.number());
    document.put("begun", partition.begun());
    document.put("next", partition.next());
    document.put("end", partition.end());
    document.put("lag", partition.lag());
    document.put("skipped", partition.skipped());
    return document;
  }

  private static Map<String, Object> skipped(SkippedRecord record) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("partition", record.partition());
    document.put("offset", record.offset());
    document.put("why", record.why());
    return document;
  }
}
