package io.uniserve.api;

import io.uniserve.api.partition.PartitionedRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A graph of operators over tables that ends in retrieve and combine, or in a new table (DPA §3.3,
 * QAS §3.2). Plans stay with the client; only their operators are sent to servers.
 *
 * @param <R> the answer
 */
public sealed interface Plan<R> {

  /**
   * A plan that retrieves from every dataset of a source and combines the values.
   *
   * @param source the data to read
   * @param retrieve the operator that runs on each dataset of the source
   * @param combine the operator that aggregates the values at the client
   * @param <V> the retrieved values
   * @param <R> the answer
   */
  record Query<V, R>(
      Source source, Operator.Retrieve<?, V> retrieve, Operator.Combine<V, R> combine)
      implements Plan<R> {}

  /**
   * A plan that runs sub-queries first, in parallel, and then the plan that is made from their
   * answers.
   *
   * @param subqueries complete plans, which may be nested themselves
   * @param next makes the next plan from the answers, which are in the order of the sub-queries
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
   * An answer that is known already: the end of a plan whose sub-queries told everything.
   *
   * @param answer the answer
   * @param <R> the answer
   */
  record Known<R>(R answer) implements Plan<R> {}

  /**
   * A computation at the client: the end of a plan, or a part of it.
   *
   * @param work computes the answer within the time that it is given; it ends sooner if its thread
   *     is interrupted
   * @param <R> the answer
   */
  record Computed<R>(Function<Duration, R> work) implements Plan<R> {}

  /**
   * A plan that applies an update, at the level of its table, and waits until all readable copies
   * show it. Later parts of the plan see it. It answers with what the function answered: a value
   * for each record, in their order, or values for the whole, of each actor in the order of
   * numbers. Only a caller that asks for an exact answer may update.
   *
   * @param table its name
   * @param function the update function that is applied
   * @param records the records that it is applied to; if there are none, it is run on every actor
   */
  record Update(
      String table, UpdateFunction<?, ?> function, List<? extends PartitionedRecord> records)
      implements Plan<List<Object>> {
    /** Copies the records. */
    public Update {
      records = List.copyOf(records);
    }
  }

  /**
   * A plan that changes the schema of a table (see {@link Redefinition}) and answers with its new
   * definition. A change that is under way is finished first, even if its client has died. If the
   * client is lost, the table is unchanged, or changed, or the next change completes this one
   * first.
   *
   * @param table its name
   * @param change makes the change from the present definition; empty if the table is already as
   *     wanted. It is called again if another change came first
   */
  record Redefine(String table, Function<TableDefinition, Optional<Change>> change)
      implements Plan<TableDefinition> {
    /**
     * One change.
     *
     * @param meanwhile the definition until all actors have been changed. It must be true of actors
     *     before and after the change
     * @param after the definition once all actors have been changed
     */
    public record Change(TableDefinition meanwhile, TableDefinition after) {}
  }

  /**
   * A plan that runs another one, measures it, and makes an answer from both.
   *
   * @param plan the plan to run
   * @param answer makes the answer from the plan's answer and from a profile of each query in it,
   *     in the order in which the queries ended
   * @param <I> the answer of the plan
   * @param <R> the answer
   */
  record Measured<I, R>(Plan<I> plan, BiFunction<I, List<PlanProfile>, R> answer)
      implements Plan<R> {}

  /**
   * A plan that keeps the datasets of a source as a new table (DPA §3.3). The table is created
   * wholly or not at all. Later changes of the source's tables do not reach it. Its updates, copies
   * and durability are its own.
   *
   * @param source a map or gather. Its datasets are actors of the table's engine and hold the keys
   *     that the table's partitioner assigns to them. A dataset that was mapped from actor {@code
   *     i} of a table, or gathered at it, becomes actor {@code i}; that table must have the same
   *     partitioner. A dataset that was gathered without an anchor becomes the actor that its
   *     attribute belongs to; there must be at most one for each actor. An actor without a dataset
   *     is empty
   * @param table the definition of the new table
   */
  record Keep(Source source, TableDefinition table) implements Plan<Void> {}

  /** Makes a plan that retrieves from all actors of a table and combines the values. */
  static <V, R> Plan<R> query(
      String table, Operator.Retrieve<?, V> retrieve, Operator.Combine<V, R> combine) {
    return new Query<>(Source.table(table), retrieve, combine);
  }

  /** Makes a plan that runs this plan first and then the plan that is made from its answer. */
  @SuppressWarnings("unchecked")
  default <N> Plan<N> then(Function<? super R, Plan<N>> next) {
    return new Nested<>(List.of(this), answers -> next.apply((R) answers.getFirst()));
  }
}
