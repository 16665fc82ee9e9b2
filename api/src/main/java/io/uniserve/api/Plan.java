package io.uniserve.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What a query becomes: a graph of operators over tables that ends in retrieve and combine, or in a
 * new table (DPA §3.3, QAS §3.2). Plans stay with the client; only their operators travel.
 *
 * @param <R> the answer
 */
public sealed interface Plan<R> {

  /**
   * Retrieves from every dataset of a source and combines the values.
   *
   * @param source what is read
   * @param retrieve runs on each dataset of the source
   * @param combine aggregates the values at the client
   * @param <V> the retrieved values
   * @param <R> the answer
   */
  record Query<V, R>(
      Source source, Operator.Retrieve<?, V> retrieve, Operator.Combine<V, R> combine)
      implements Plan<R> {}

  /**
   * Runs sub-queries first, independent ones in parallel, then the plan that follows from their
   * answers.
   *
   * @param subqueries complete plans, which may be nested themselves
   * @param next makes the next plan of the answers, in the order of the sub-queries
   * @param <R> the answer
   */
  record Nested<R>(List<Plan<?>> subqueries, Function<List<Object>, Plan<R>> next)
      implements Plan<R> {
    /** Copies the sub-queries. */
    public Nested {
      subqueries = List.copyOf(subqueries);
    }
  }

  /**
   * What is known already: the end of a plan whose sub-queries told everything.
   *
   * @param answer the answer
   * @param <R> the answer
   */
  record Known<R>(R answer) implements Plan<R> {}

  /**
   * What is computed where the query is asked: the end of a plan, or a part of it.
   *
   * @param work makes the answer, within the time that is given to it; it ends sooner if its thread
   *     is interrupted
   * @param <R> the answer
   */
  record Computed<R>(Function<Duration, R> work) implements Plan<R> {}

  /**
   * Applies an update, at the level of its table, and waits until all its readable copies show it.
   * What follows in the plan sees it. Only a caller who asks for an exact answer may update.
   *
   * @param table its name
   * @param function what is applied
   * @param records to what; if there are none, it is run on every actor
   */
  record Update(
      String table, UpdateFunction<?, ?> function, List<? extends PartitionedRecord> records)
      implements Plan<Void> {
    /** Copies the records. */
    public Update {
      records = List.copyOf(records);
    }
  }

  /**
   * Changes the schema of a table, see {@link Redefinition}; answers what the table is then. One
   * that is under way, be it a dead client's, is brought to its end first. Whoever asks and is lost
   * leaves the table as it was, or changed, or such that the next change changes it first.
   *
   * @param table its name
   * @param change of what the table is now; called again if another change came first. Empty if it
   *     is as wanted
   */
  record Redefine(String table, Function<TableDefinition, Optional<Change>> change)
      implements Plan<TableDefinition> {
    /**
     * One change.
     *
     * @param meanwhile what is said of the table until all actors have been changed: nothing that
     *     actors of before, or of after, do not have
     * @param after what it is then
     */
    public record Change(TableDefinition meanwhile, TableDefinition after) {}
  }

  /**
   * Runs a plan and makes the answer of what that took.
   *
   * @param plan what is run
   * @param answer of its answer and of a profile for each query in it, in the order in which they
   *     ended
   * @param <I> the answer of what is run
   * @param <R> the answer
   */
  record Measured<I, R>(Plan<I> plan, BiFunction<I, List<PlanProfile>, R> answer)
      implements Plan<R> {}

  /**
   * Keeps what a source materialises as a new table (DPA §3.3), which is there wholly or not at
   * all. It begins as what was made, whatever becomes of what that was made of; its updates, copies
   * and durability are its own.
   *
   * @param source a map or gather, whose datasets are actors of the table's engine and hold the
   *     keys that the table's partitioner gives to them. What was mapped of actor {@code i} of a
   *     table, or gathered at it, becomes actor {@code i}; that table must have the same
   *     partitioner. What was gathered of an attribute without an anchor becomes the actor that the
   *     attribute belongs to, of which there must not be another. An actor that nothing becomes is
   *     empty
   * @param table what the new table is
   */
  record Keep(Source source, TableDefinition table) implements Plan<Void> {}

  /** Retrieves from all actors of a table and combines. */
  static <V, R> Plan<R> query(
      String table, Operator.Retrieve<?, V> retrieve, Operator.Combine<V, R> combine) {
    return new Query<>(Source.table(table), retrieve, combine);
  }

  /** Runs this plan first and the plan that follows from its answer next. */
  @SuppressWarnings("unchecked")
  default <N> Plan<N> then(Function<? super R, Plan<N>> next) {
    return new Nested<>(List.of(this), answers -> next.apply((R) answers.getFirst()));
  }
}
