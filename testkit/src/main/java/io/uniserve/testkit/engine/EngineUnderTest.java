package io.uniserve.testkit.engine;

import io.uniserve.api.Actor;
import io.uniserve.api.Engine;
import io.uniserve.api.Operator;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.TableDefinition;
import io.uniserve.testkit.local.Batch;
import java.util.List;
import java.util.Optional;

/**
 * The author's description of an engine for the kit. Every method may be called many times and must
 * return equal values each time.
 *
 * @param <A> the engine's actors
 */
public interface EngineUnderTest<A extends Actor> {

  /** Returns the engine. */
  Engine<A> engine();

  /**
   * Returns the table that the batches fill and the questions read. Its number of actors does not
   * matter, since checks choose their own.
   */
  TableDefinition table();

  /**
   * Returns updates in the order in which they are applied, at least one. Checks stop after each of
   * them, so a few batches that add, replace and delete find more defects than many similar ones.
   */
  List<Batch> batches();

  /**
   * Returns queries that distinguish a sound actor from a defective one. Together they should read
   * all contents of an actor. At least one has known answers.
   */
  List<Question<?>> questions();

  /**
   * Returns queries by map, scatter and gather over the table, each with its answers, if the engine
   * has such operators. Their gathers get chunks in the worst permitted way: in any order, and in
   * read-only buffers that are overwritten once the next is read. Every task may be run more than
   * once.
   */
  default List<Question<?>> exchanges() {
    return List.of();
  }

  /**
   * Returns a map that copies an actor, if the engine has one. Plans may keep its results as a
   * table ({@link io.uniserve.api.Plan.Keep}).
   */
  default Optional<Operator.Map<A, A>> copying() {
    return Optional.empty();
  }

  /** Returns a scan of the whole table, if the engine has scans. */
  default Optional<ScanPlan> scan() {
    return Optional.empty();
  }

  /**
   * Returns an update that an actor with all batches must refuse, with some valid records before
   * the refused one. Empty if the engine refuses nothing.
   */
  default Optional<Batch> refused() {
    return Optional.empty();
  }

  /**
   * Returns whether a query sees either all of a batch or nothing of it, also while it is applied.
   */
  default boolean batchesAppearAtOnce() {
    return false;
  }

  /**
   * Returns values of those of {@link Engine#types()} that no batch, question or answer of an
   * operator contains.
   */
  default List<Record> furtherValues() {
    return List.of();
  }
}
