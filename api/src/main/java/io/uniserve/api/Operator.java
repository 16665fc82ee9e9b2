package io.uniserve.api;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The developer's code that runs on one dataset: the five parallel operators of DPA §3.3, Fig. 2
 * and 3. All but combine run where the data is, so they are Java records listed in {@link
 * Engine#types()}. Operators never change an actor.
 */
public sealed interface Operator {

  /**
   * An operator that transforms data in parallel and materialises the result where it was produced.
   *
   * @param <D> the data it reads
   * @param <O> the data it makes
   */
  non-sealed interface Map<D extends Dataset, O extends Dataset> extends Operator {
    /** Returns the transformed data, which the runtime closes when the query ends. */
    O map(D input, OperatorContext context);
  }

  /**
   * An operator that splits data into (attribute, chunk) pairs. A gather always follows it.
   *
   * @param <D> the data it reads
   */
  non-sealed interface Scatter<D extends Dataset> extends Operator {
    /**
     * Puts chunks in a format that the matching gather understands, from one thread. One attribute
     * may get many chunks. A chunk's buffer may be used again once it is put.
     */
    void scatter(D input, Output<Chunk> chunks, OperatorContext context);
  }

  /**
   * An operator that runs once for each attribute. It combines the chunks of that attribute with
   * the anchoring actor, if the plan has an anchor, and materialises the result there (DPA §3.3,
   * QAS §3.2).
   *
   * @param <A> the anchor's actors
   * @param <O> the data it makes
   */
  non-sealed interface Gather<A extends Actor, O extends Dataset> extends Operator {
    /**
     * Combines the chunks of one attribute. Chunks come in any order. A chunk's buffer is read-only
     * and valid until the next chunk is taken. A gather that fails may be run again, on this server
     * or another.
     *
     * @param attribute the attribute, which has at least one chunk
     * @param chunks each chunk once; they need not all be read
     * @param anchor the actor that holds the attribute's partition key, if the plan has an anchor
     * @param context its {@link OperatorContext#actor} is the anchor's number; without an anchor
     *     the number has no meaning
     */
    O gather(
        PartitionKey attribute,
        Iterator<ByteBuffer> chunks,
        Optional<A> anchor,
        OperatorContext context);
  }

  /**
   * An operator that computes values from one dataset and returns them to the client. Only combine
   * comes after it in a plan.
   *
   * @param <D> the data it reads
   * @param <V> the values: records listed in {@link Engine#types()}, or documents (see {@link
   *     Planner})
   */
  non-sealed interface Retrieve<D extends Dataset, V> extends Operator {
    /** Puts any number of values. */
    void retrieve(D input, Output<V> values, OperatorContext context);

    /**
     * Returns whether the operator takes a few microseconds on any actor and puts at most one small
     * value: it looks something up and never scans. The runtime then runs it on the calling thread,
     * since handing it to another thread would take longer than the work. Such operators do not run
     * in parallel.
     */
    default boolean brief() {
      return false;
    }

    /**
     * Returns whether the operator mostly waits: for company, with which it shares a pass over the
     * data that a thread of the engine makes. The runtime then gives it a light thread of its own
     * instead of one of the few that compute. The engine bounds how many wait, and refuses others.
     */
    default boolean waits() {
      return false;
    }
  }

  /**
   * An operator that reads an actor page by page, so that a read of any length holds a thread for a
   * short time only, and any copy can go on where another ended (PNUTS §2). Listed in {@link
   * Engine#types()}. See {@link ScanPlan}.
   *
   * @param <D> the data it reads
   */
  non-sealed interface Scan<D extends Dataset> extends Operator {
    /**
     * Reads the next page. Records come in an order that depends on themselves alone, such as that
     * of their keys, so that a place means the same on every copy, and in both parts of an actor
     * that was split. Nothing is kept between two pages.
     *
     * @throws UniserveException retryable, if another copy may give the page
     */
    ScanPage page(D input, ScanFrom from, OperatorContext context);
  }

  /**
   * An operator that aggregates retrieved values into the query's answer. It runs at the client, so
   * it need not cross the wire.
   *
   * @param <V> the retrieved values
   * @param <R> the answer
   */
  @FunctionalInterface
  non-sealed interface Combine<V, R> extends Operator {
    /** Begins one aggregation. */
    Combiner<V, R> begin();

    /**
     * Makes a combine that folds all values into an answer, one after another, regardless of their
     * actors.
     *
     * @param start the answer if there is no value; must not be changed by {@code step}
     * @param step makes the next answer from the last one and a value. Actors arrive in any order,
     *     so the result should not depend on it
     */
    static <V, R> Combine<V, R> fold(R start, BiFunction<R, V, R> step) {
      return () -> new Fold<>(start, step);
    }

    /**
     * Makes a combine that merges the values of all actors into the first ones in an order. It
     * holds no more than these. An actor that has the order itself puts its first {@code limit}
     * values. Equal values come in the order of their actors, and of each actor.
     *
     * @param order the order
     * @param limit the most values that the answer has, 0 or more
     */
    static <V> Combine<V, List<V>> firstInOrder(Comparator<? super V> order, int limit) {
      if (limit < 0) {
        throw UniserveException.invalid("the first " + limit + " values");
      }
      return () -> new FirstInOrder<>(order, limit);
    }
  }

  /**
   * One aggregation under way. Used by one thread at a time.
   *
   * @param <V> the retrieved values
   * @param <R> the answer
   */
  interface Combiner<V, R> {
    /**
     * Adds one value. The values of one actor arrive together, in the order in which they were put,
     * and exactly once, even after retries. Actors arrive in any order.
     */
    void add(int actor, V value);

    /** Returns the answer, after the last value. */
    R result();
  }

  /**
   * A piece of scattered data.
   *
   * @param attribute the attribute, which decides the gather that receives the chunk
   * @param bytes the contents
   */
  record Chunk(PartitionKey attribute, ByteBuffer bytes) {}
}
