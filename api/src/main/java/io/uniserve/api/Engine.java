package io.uniserve.api;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A kind of storage with its port: the one interface that makes a single-node engine a distributed
 * one (DPA §3.1). Found by {@link java.util.ServiceLoader}; must have a public constructor without
 * parameters and be safe for use by many threads.
 *
 * @param <A> the engine's actors
 */
public interface Engine<A extends Actor> {

  /** The name by which tables choose this engine, for instance {@code search}. */
  String name();

  /** Makes an empty actor that keeps its files, if any, in the context's directory. */
  A create(ActorContext context) throws IOException;

  /**
   * Rebuilds an actor. The context's directory holds exactly the files that {@link Actor#serialize}
   * wrote, and now belongs to the actor, which may change them.
   *
   * @throws IOException if files are missing or damaged; the runtime then tries another copy or the
   *     durable store
   */
  A deserialize(ActorContext context) throws IOException;

  /**
   * Whether no file is ever changed once it is written, only created and deleted. The runtime then
   * hands {@link #deserialize} hard links rather than copies.
   */
  default boolean writesFilesOnce() {
    return false;
  }

  /**
   * Whether {@link Actor#snapshot} gives readers. Without them an engine's tables are refused the
   * snapshot level.
   */
  default boolean takesSnapshots() {
    return false;
  }

  /**
   * The record classes that may cross the wire as this engine's records, update functions,
   * operators or values. What their components reach (records, enums, sealed interfaces) is
   * included. Nothing else is ever deserialised. See {@link io.uniserve.api.codec.RecordCodec} for
   * the component types that are understood.
   */
  List<Class<? extends Record>> types();

  /**
   * The version of the form that {@link #types} have: raised when one of them gets a component,
   * marked {@link io.uniserve.api.codec.Since} with the new version. Values of former versions are
   * still read; a program that knows only a former one refuses those of this one.
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
   * A table that is to hold what another held, under another name, as when a table is restored
   * beside itself: its schema means the same as before, even where it relied on the name.
   *
   * @param table as it was
   * @param name of the new one
   */
  default TableDefinition renamed(TableDefinition table, String name) {
    return table.withName(name);
  }

  /** Whether its actors can be split: whether they have {@link Actor#retain}. */
  default boolean splits() {
    return false;
  }

  /** Whether two of its actors can become one: whether they have {@link Actor#absorb}. */
  default boolean merges() {
    return false;
  }

  /** How schemas of its tables change; empty if a table stays as it was created. */
  default Optional<Redefinition> redefinition() {
    return Optional.empty();
  }

  /**
   * The engine's native request planner, if it answers textual queries and loads rows without a
   * gateway's help.
   */
  default Optional<Planner> planner() {
    return Optional.empty();
  }
}
