package io.uniserve.testkit.engine;

import io.uniserve.api.Actor;
import io.uniserve.api.Engine;
import io.uniserve.api.Operator;
import io.uniserve.api.TableDefinition;
import io.uniserve.testkit.local.Batch;
import java.util.List;
import java.util.Optional;

/**
 * What an author tells the kit about an engine. Every method may be called many times and gives
 * equal values each time.
 *
 * @param <A> the engine's actors
 */
public interface EngineUnderTest<A extends Actor> {

  /** The engine. */
  Engine<A> engine();

  /**
   * The table that the batches fill and the questions read. Its number of actors does not matter:
   * checks choose their own.
   */
  TableDefinition table();

  /**
   * Updates in the order in which they are applied, at least one. Checks stop after each of them,
   * so a few batches that add, replace and delete find more than many alike.
   */
  List<Batch> batches();

  /**
   * Queries that tell a sound actor from another. Together they should see whatever an actor holds;
   * at least one knows its answers.
   */
  List<Question<?>> questions();

  /**
   * Queries by map, scatter and gather over the table, each with its answers, if the engine has
   * such operators. Their gathers get chunks as badly as they may: in any order, in buffers that
   * cannot be written, each overwritten once the next is read; and every task may be run more than
   * once.
   */
  default List<Question<?>> exchanges() {
    return List.of();
  }

  /**
   * A map that makes of an actor another with the same contents, if the engine has one: what plans
   * may keep as a table ({@link io.uniserve.api.Plan.Keep}).
   */
  default Optional<Operator.Map<A, A>> copying() {
    return Optional.empty();
  }

  /**
   * An update that an actor on which all batches were applied must refuse, with some valid records
   * before the one that it refuses. Empty if the engine refuses nothing.
   */
  default Optional<Batch> refused() {
    return Optional.empty();
  }

  /** Whether a query sees either all of a batch or nothing of it, also while it is applied. */
  default boolean batchesAppearAtOnce() {
    return false;
  }

  /**
   * Values of those of {@link Engine#types()} that no batch, question or answer of an operator
   * contains.
   */
  default List<Record> furtherValues() {
    return List.of();
  }
}
