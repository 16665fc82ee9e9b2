package io.uniserve.node.http.document;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.OnLoss;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingPlacement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The tables, as JSON. */
public final class TableDocuments {
  private static final int ACTORS_DEFAULT = 8;
  private static final int REPLICAS_DEFAULT = 2;
  private static final String POLICY = "policy";
  private static final String RING = "ring";

  private TableDocuments() {}

  /** A reader of the keys by which a table is divided. */
  public interface KeyReader {
    /** Returns the key that a text stands for in a table. */
    PartitionKey key(TableDefinition table, String text);
  }

  /**
   * Returns the definition in a request to create a table.
   *
   * @param keys reads the keys of {@code splits} and {@code sample}
   */
  public static TableDefinition definition(Object document, KeyReader keys) {
    Settings settings = new Settings("table", document);
    List<String> splits = texts(settings, "splits");
    if (!splits.isEmpty() && settings.integer("actors", 0) != 0) {
      throw UniserveException.invalid(
          "table: with 'splits' there is one actor more than keys, so 'actors' is left out");
    }
    List<String> sample = texts(settings, "sample");
    if (!splits.isEmpty() && !sample.isEmpty()) {
      throw UniserveException.invalid(
          "table: it is cut at 'splits', or at keys of a 'sample', and not at both");
    }
    TableDefinition byDefault =
        new TableDefinition(
            settings.text("name"),
            settings.text("engine"),
            new Partitioner.Hash(settings.integer("actors", ACTORS_DEFAULT)),
            settings.integer("replicas", REPLICAS_DEFAULT),
            constant("durability", Durability.class, settings.text("durability", "asynchronous")),
            constant("consistency", Consistency.class, settings.text("consistency", "eventual")),
            settings.object("schema"),
            Duration.ofHours(
                settings.integer(
                    "retentionHours", (int) TableDefinition.RETENTION_DEFAULT.toHours())));
    String onLoss = settings.text("onLoss", byDefault.onLoss().toString());
    ring(settings);
    settings.finish();
    TableDefinition table = byDefault.withOnLoss(OnLoss.parse(onLoss));
    if (!splits.isEmpty()) {
      return table.withPartitioner(new Partitioner.Range(keys(table, splits, keys)));
    }
    return sample.isEmpty()
        ? table
        : table.withPartitioner(
            SampledRanges.of(keys(table, sample, keys), table.partitioner().actors()));
  }

  private static List<PartitionKey> keys(
      TableDefinition table, List<String> texts, KeyReader reader) {
    return texts.stream().map(text -> reader.key(table, text)).toList();
  }

  private static List<String> texts(Settings settings, String name) {
    List<String> texts = new ArrayList<>();
    for (Object each : settings.list(name)) {
      if (!(each instanceof String || each instanceof Long)) {
        throw UniserveException.invalid("table: '" + name + "' must be a list of keys");
      }
      texts.add(each.toString());
    }
    return texts;
  }

  /** Returns the ring of servers that a request to create a table asks for. */
  public static Optional<RingPlacement> ring(Object document) {
    return ring(new Settings("table", document));
  }

  private static Optional<RingPlacement> ring(Settings settings) {
    String placement = settings.text("placement", POLICY);
    List<String> servers = new ArrayList<>();
    for (Object server : settings.list("ringServers")) {
      if (!(server instanceof String name)) {
        throw UniserveException.invalid("table: 'ringServers' must be a list of servers' names");
      }
      servers.add(name);
    }
    if (placement.equals(RING)) {
      return Optional.of(new RingPlacement(servers));
    }
    if (!placement.equals(POLICY)) {
      throw UniserveException.invalid(
          "table: 'placement' must be policy or ring, not '" + Excerpt.of(placement) + "'");
    }
    if (!servers.isEmpty()) {
      throw UniserveException.invalid("table: 'ringServers' needs the placement 'ring'");
    }
    return Optional.empty();
  }

  private static <E extends Enum<E>> E constant(String setting, Class<E> type, String name) {
    List<E> all = List.of(type.getEnumConstants());
    return all.stream()
        .filter(constant -> lower(constant).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                UniserveException.invalid(
                    "table: '"
                        + setting
                        + "' must be one of "
                        + all.stream().map(TableDocuments::lower).toList()
                        + ", not '"
                        + Excerpt.of(name)
                        + "'"));
  }

  /** Returns a description of a table and its assignment. */
  public static Map<String, Object> describe(TableState table) {
    TableDefinition definition = table.definition();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", definition.name());
    document.put("id", table.id());
    document.put("engine", definition.engine());
    document.put("actors", definition.partitioner().living());
    document.put(
        "partitioning",
        definition.partitioner().base() instanceof Partitioner.Range ? "range" : "hash");
    document.put("replicas", definition.replicas());
    document.put("durability", lower(definition.durability()));
    document.put("consistency", lower(definition.consistency()));
    document.put("placement", table.ring().isPresent() ? RING : POLICY);
    document.put("onLoss", definition.onLoss().toString());
    document.put("retentionSeconds", definition.retention().toSeconds());
    table
        .recovery()
        .ifPresent(
            recovery ->
                document.put(
                    "recovered",
                    Map.of(
                        "at",
                        Instant.ofEpochMilli(recovery.timeMillis()).toString(),
                        "why",
                        recovery.why())));
    document.put("schema", definition.schema());
    document.put("assignment", assignment(table.actors()));
    return document;
  }

  private static List<Object> assignment(List<ActorState> actors) {
    List<Object> assignment = new ArrayList<>(actors.size());
    for (ActorState actor : actors) {
      Map<String, Object> copies = new LinkedHashMap<>();
      for (CopyState copy : actor.copies()) {
        copies.put(copy.server(), lower(copy.status()));
      }
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("ended", actor.ended());
      document.put("epoch", actor.epoch());
      document.put("primary", actor.primary());
      document.put("copies", copies);
      document.put("complete", actor.complete());
      document.put("anyMayLead", actor.anyMayLead());
      assignment.add(document);
    }
    return assignment;
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
