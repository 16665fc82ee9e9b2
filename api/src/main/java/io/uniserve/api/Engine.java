package io.uniserve.api;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A kind of storage. This is the one interface that a single-node engine implements to become a
 * distributed one (DPA §3.1). Engines are found by {@link java.util.ServiceLoader}. An engine must
 * have a public constructor without parameters and be safe for use by many threads.
 *
 * @param <A> the engine's actors
 */
public interface Engine<A extends Actor> {

  /** Returns the name by which tables choose this engine, for instance {@code search}. */
  String name();

  /** Makes an empty actor that keeps its files, if any, in the context's directory. */
  A create(ActorContext context) throws IOException;

  /**
   * Rebuilds an actor. The context's directory holds exactly the files that {@link Actor#serialize}
   * wrote, and now belongs to the actor, which may change them. The runtime has compared them with
   * their checksums, so an engine need not look for damage, only notice files that are missing or
   * cannot be read.
   *
   * @throws IOException if files are missing or damaged; nothing is then open any more, and the
   *     runtime tries another copy or the durable store
   */
  A deserialize(ActorContext context) throws IOException;

  /**
   * Returns whether the engine only creates and deletes files and never changes one that is
   * written. The runtime then gives {@link #deserialize} hard links instead of copies.
   */
  default boolean writesFilesOnce() {
    return false;
  }

  /**
   * Returns whether {@link Actor#updateAll} mostly waits, for a pass over the data by a thread of
   * the engine or the like, rather than compute. The runtime then calls it on a light thread of the
   * actor's own instead of one of the few that compute, so that many actors can wait at once.
   */
  default boolean updatesWait() {
    return false;
  }

  /**
   * Returns whether {@link Actor#snapshot} opens readers. Otherwise the engine's tables cannot have
   * the snapshot level.
   */
  default boolean takesSnapshots() {
    return false;
  }

  /**
   * Returns the record classes that may cross the wire as this engine's records, update functions,
   * operators or values. The types of their components (records, enums, sealed interfaces) are
   * included. Nothing else is ever deserialised. See {@link io.uniserve.api.codec.RecordCodec} for
   * the component types that are understood.
   */
  List<Class<? extends Record>> types();

  /**
   * Returns the version of the binary form of {@link #types}. It is raised when one of them gets a
   * component, which is marked {@link io.uniserve.api.codec.Since} with the new version. Values of
   * earlier versions can still be read. An older program refuses values of a newer version.
   */
  default int typesVersion() {
    return 1;
  }

  /**
   * Checks a table's definition, its schema above all, before the table is created.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming what is wrong
   */
  default void validate(TableDefinition table) {}

  /**
   * Returns the definition of a table under another name, for instance of one that is restored
   * beside the original. The schema must keep its meaning, even where it depended on the name.
   *
   * @param table the definition of the original
   * @param name the name of the new table
   */
  default TableDefinition renamed(TableDefinition table, String name) {
    return table.withName(name);
  }

  /**
   * Returns whether an update may be prepared on top of others that are prepared and not decided.
   * {@link UpdateFunction.Serializable} says what the engine then has to do. Transactions that wait
   * for the same actors are prepared and decided together if all of them may be. The answer must
   * not depend on the actor.
   */
  default boolean preparesTogether(UpdateFunction.Serializable<?, ?> function) {
    return false;
  }

  /** Returns whether its actors can be split. They must then implement {@link Actor#retain}. */
  default boolean splits() {
    return false;
  }

  /**
   * Returns whether two of its actors can be merged. They must then implement {@link Actor#absorb}.
   */
  default boolean merges() {
    return false;
  }

  /** Returns how schemas of its tables change; empty if they never do. */
  default Optional<Redefinition> redefinition() {
    return Optional.empty();
  }

  /**
   * Returns the engine's native request planner, if the engine answers textual queries and loads
   * rows without a gateway.
   */
  default Optional<Planner> planner() {
    return Optional.empty();
  }
}
