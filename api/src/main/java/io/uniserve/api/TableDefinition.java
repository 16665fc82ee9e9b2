package io.uniserve.api;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The definition of a table: its name, engine, partitioning, copies, guarantees and schema.
 *
 * @param name lower-case letters, digits, {@code _} and {@code -}, starting with a letter; at most
 *     63 characters
 * @param engine the name of its {@link Engine}
 * @param partitioner the distribution of records over actors; it also gives the number of actors
 * @param replicas copies of each actor, 1 to {@value #REPLICAS_MAX}
 * @param durability the promise of the durable store
 * @param consistency the level of its updates and reads
 * @param schema the engine's own description of its records, as a document (see {@link Planner})
 * @param retention the time for which the table can be restored to a past moment, and for which it
 *     can be restored after it was dropped; zero to {@value #RETENTION_DAYS_MAX} days
 * @param onLoss the behaviour when an actor has no complete copy on any living server
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

  /** The default retention: a day. */
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

  /** Makes a definition with the default behaviour on loss; see {@link OnLoss#of}. */
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

  /** Makes a definition of a table with eventual updates and the default retention. */
  public TableDefinition(
      String name,
      String engine,
      Partitioner partitioner,
      int replicas,
      Durability durability,
      Map<String, Object> schema) {
    this(name, engine, partitioner, replicas, durability, Consistency.EVENTUAL, schema);
  }

  /** Makes a definition with the default retention. */
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

  /** Returns this definition under another name. */
  public TableDefinition withName(String other) {
    return new TableDefinition(
        other, engine, partitioner, replicas, durability, consistency, schema, retention, onLoss);
  }

  /** Returns this definition with another number of copies. */
  public TableDefinition withReplicas(int other) {
    return new TableDefinition(
        name, engine, partitioner, other, durability, consistency, schema, retention, onLoss);
  }

  /** Returns this definition with another schema. */
  public TableDefinition withSchema(Map<String, Object> other) {
    return new TableDefinition(
        name, engine, partitioner, replicas, durability, consistency, other, retention, onLoss);
  }

  /** Returns this definition with another partitioner. */
  public TableDefinition withPartitioner(Partitioner other) {
    return new TableDefinition(
        name, engine, other, replicas, durability, consistency, schema, retention, onLoss);
  }

  /** Returns this definition with another behaviour on loss. */
  public TableDefinition withOnLoss(OnLoss other) {
    return new TableDefinition(
        name, engine, partitioner, replicas, durability, consistency, schema, retention, other);
  }

  /** Returns the number of actors that the table has ever had; see {@link Partitioner#actors}. */
  public int actors() {
    return partitioner.actors();
  }
}
