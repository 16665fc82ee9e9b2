package io.uniserve.api;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a table is asked to be.
 *
 * @param name lower-case letters, digits, {@code _} and {@code -}, starting with a letter; at most
 *     63 characters
 * @param engine the name of its {@link Engine}
 * @param partitioner how records are spread; gives the number of actors
 * @param replicas copies of each actor, 1 to {@value #REPLICAS_MAX}
 * @param durability what the durable store promises
 * @param consistency how its updates run and what reads see of them
 * @param schema the engine's own description of its records, as a document (see {@link Planner})
 * @param retention how long ago a moment may be as of which the table can be restored, and for how
 *     long it can be once it was dropped; none to at most {@value #RETENTION_DAYS_MAX} days
 * @param onLoss whether an actor that has no complete copy on any living server waits for one
 */
public record TableDefinition(
    String name,
    String engine,
    Partitioner partitioner,
    int replicas,
    Durability durability,
    Consistency consistency,
    Map<String, Object> schema,
    Duration retention,
    OnLoss onLoss) {

  /** What a table has that says nothing else: a day. */
  public static final Duration RETENTION_DEFAULT = Duration.ofDays(1);

  /** The longest retention, in days. */
  public static final int RETENTION_DAYS_MAX = 3_660;

  /** The most copies of one actor. */
  public static final int REPLICAS_MAX = 16;

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");

  /** Checks name and replicas and copies the schema. */
  public TableDefinition {
    if (!NAME.matcher(name).matches()) {
      throw UniserveException.invalid(
          "'"
              + Excerpt.of(name)
              + "' is no name of a table: one is a lower-case letter a to z, then at most 62 such"
              + " letters, digits, _ and -");
    }
    if (replicas < 1 || replicas > REPLICAS_MAX) {
      throw UniserveException.invalid(
          "table '" + name + "': replicas must be 1 to " + REPLICAS_MAX + ", not " + replicas);
    }
    if (retention.isNegative() || retention.compareTo(Duration.ofDays(RETENTION_DAYS_MAX)) > 0) {
      throw UniserveException.invalid(
          "table '"
              + name
              + "': retention must be none to "
              + RETENTION_DAYS_MAX
              + " days, not "
              + retention);
    }
    schema = Collections.unmodifiableMap(new LinkedHashMap<>(schema));
  }

  /** A table that decides for the case of a loss as most of its level do. */
  public TableDefinition(
      String name,
      String engine,
      Partitioner partitioner,
      int replicas,
      Durability durability,
      Consistency consistency,
      Map<String, Object> schema,
      Duration retention) {
    this(
        name,
        engine,
        partitioner,
        replicas,
        durability,
        consistency,
        schema,
        retention,
        OnLoss.of(consistency, durability));
  }

  /** A table of eventual updates with the default retention. */
  public TableDefinition(
      String name,
      String engine,
      Partitioner partitioner,
      int replicas,
      Durability durability,
      Map<String, Object> schema) {
    this(name, engine, partitioner, replicas, durability, Consistency.EVENTUAL, schema);
  }

  /** A table with the default retention. */
  public TableDefinition(
      String name,
      String engine,
      Partitioner partitioner,
      int replicas,
      Durability durability,
      Consistency consistency,
      Map<String, Object> schema) {
    this(name, engine, partitioner, replicas, durability, consistency, schema, RETENTION_DEFAULT);
  }

  /** The same under another name. */
  public TableDefinition withName(String other) {
    return new TableDefinition(
        other, engine, partitioner, replicas, durability, consistency, schema, retention, onLoss);
  }

  /** The same with another number of copies. */
  public TableDefinition withReplicas(int other) {
    return new TableDefinition(
        name, engine, partitioner, other, durability, consistency, schema, retention, onLoss);
  }

  /** The same with another schema. */
  public TableDefinition withSchema(Map<String, Object> other) {
    return new TableDefinition(
        name, engine, partitioner, replicas, durability, consistency, other, retention, onLoss);
  }

  /** The same with other actors. */
  public TableDefinition withPartitioner(Partitioner other) {
    return new TableDefinition(
        name, engine, other, replicas, durability, consistency, schema, retention, onLoss);
  }

  /** The same with another decision for the case of a loss. */
  public TableDefinition withOnLoss(OnLoss other) {
    return new TableDefinition(
        name, engine, partitioner, replicas, durability, consistency, schema, retention, other);
  }

  /** How many actors the table has. */
  public int actors() {
    return partitioner.actors();
  }
}
