package io.uniserve.api;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The developer's code that runs on one dataset: the five parallel operators of DPA §3.3, Fig. 2
 * and 3. All but combine run where the data is, so they are Java records listed in {@link
 * Engine#types()}. Operators never change an actor.
 */
public sealed interface Operator {

  /**
   * Transforms data in parallel and materialises the result where it was produced.
   *
   * @param <D> the data it reads
   * @param <O> the data it makes
   */
  non-sealed interface Map<D extends Dataset, O extends Dataset> extends Operator {
    /** The transformed data; the runtime closes it when the query ends. */
    O map(D input, OperatorContext context);
  }

  /**
   * Splits data into (attribute, chunk) pairs. Always followed by a gather.
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
   * Runs once for each attribute: combines the chunks of that attribute with the anchoring actor,
   * if the plan has an anchor, and materialises the result there (DPA §3.3, QAS §3.2).
   *
   * @param <A> the anchor's actors
   * @param <O> the data it makes
   */
  non-sealed interface Gather<A extends Actor, O extends Dataset> extends Operator {
    /**
     * Combines. Chunks come in any order; a chunk's buffer can only be read, and is valid until the
     * next is. If it fails it may be run again, on this server or another.
     *
     * @param attribute that has at least one chunk
     * @param chunks each once; they need not all be read
     * @param anchor the actor that holds the attribute's partition key, if the plan has an anchor
     * @param context whose {@link OperatorContext#actor} is the anchor's; without one, a number
     *     that says nothing
     */
    O gather(
        PartitionKey attribute,
        Iterator<ByteBuffer> chunks,
        Optional<A> anchor,
        OperatorContext context);
  }

  /**
   * Computes values from one dataset and returns them to the client. Last but one in a plan.
   *
   * @param <D> the data it reads
   * @param <V> the values: records listed in {@link Engine#types()}, or documents (see {@link
   *     Planner})
   */
  non-sealed interface Retrieve<D extends Dataset, V> extends Operator {
    /** Puts any number of values. */
    void retrieve(D input, Output<V> values, OperatorContext context);

    /**
     * Whether this takes a few microseconds on any actor and puts at most one small value: looking
     * something up, never reading through something. The runtime then spares it the way from thread
     * to thread, which takes longer than the work, and so does not run it in parallel.
     */
    default boolean brief() {
      return false;
    }
  }

  /**
   * Aggregates retrieved values into the query's answer. Runs at the client, so it need not cross
   * the wire.
   *
   * @param <V> the retrieved values
   * @param <R> the answer
   */
  @FunctionalInterface
  non-sealed interface Combine<V, R> extends Operator {
    /** Begins one aggregation. */
    Combiner<V, R> begin();

    /**
     * Takes the values one after another into an answer, whatever actor they come from.
     *
     * @param start the answer if there is no value; must not be changed by {@code step}
     * @param step makes the next answer of the last one and a value; since actors arrive in any
     *     order, it should give the same in any
     */
    static <V, R> Combine<V, R> fold(R start, BiFunction<R, V, R> step) {
      return () -> new Fold<>(start, step);
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
     * Takes one value. The values of one actor arrive together, in the order in which they were
     * put, and exactly once whatever was retried; actors arrive in any order.
     */
    void add(int actor, V value);

    /** The answer, after the last value. */
    R result();
  }

  /**
   * A piece of scattered data.
   *
   * @param attribute decides which gather receives it
   * @param bytes its contents
   */
  record Chunk(PartitionKey attribute, ByteBuffer bytes) {}
}
