package io.uniserve.api;

import java.util.List;

/**
 * The developer's code that applies records to one actor (DPA §3.2, Fig. 2). Implemented by Java
 * records listed in {@link Engine#types()}; their components are the update's parameters. Which of
 * the sub-interfaces a function implements says at which levels it can run; one that implements
 * several does what the table's {@link Consistency} asks for.
 *
 * @param <A> the actors it updates
 * @param <R> the records it applies
 */
public sealed interface UpdateFunction<A extends Actor, R extends PartitionedRecord> {
  /**
   * Whether it tells whoever applies it something of what actors hold: how many records it has
   * found, or that one of them cannot be changed so. It then needs the right to read as well.
   */
  default boolean reads() {
    return false;
  }

  /**
   * Applied on the primary, then on every copy in the same order.
   *
   * @param <A> the actors it updates
   * @param <R> the records it applies
   */
  non-sealed interface Eventual<A extends Actor, R extends PartitionedRecord>
      extends UpdateFunction<A, R> {
    /**
     * Applies the records, in their order; none if the update addresses every actor, as a deletion
     * by query does. Must depend on nothing but the actor, the records and this function, since
     * every copy runs it.
     *
     * @throws UniserveException if the update is refused; the actor must then be as before
     */
    void update(A actor, List<R> records);

    /**
     * Whether an actor to which it was applied without records is the same after it is applied
     * again. If two actors become one while such an update is under way that one of them had
     * already, it is applied to all of the new actor if so, and refused otherwise.
     */
    default boolean repeatable() {
      return false;
    }
  }

  /**
   * The participant of a two-phase commit (DPA §4.2). The runtime calls {@link #prepare}, and then
   * exactly one of {@link #commit} and {@link #abort}, perhaps much later; in between it applies
   * nothing else to the actor and does not serialise it. It keeps what was prepared in its own log:
   * an actor that was closed or lost in between is opened as before the transaction and told to
   * prepare again, so the engine need not make it durable.
   *
   * <p>Every copy prepares what the first has prepared, and must come to the same result; so the
   * function depends on nothing but the actor, the records and itself.
   *
   * @param <A> the actors it updates
   * @param <R> the records it applies
   */
  non-sealed interface Serializable<A extends Actor, R extends PartitionedRecord>
      extends UpdateFunction<A, R> {
    /**
     * Makes the records ready to become visible; operators must not see them yet. None if the
     * update addresses every actor.
     *
     * @return false to vote for abort; the actor must then be as before, and {@link #abort} is not
     *     called
     * @throws UniserveException if the records are refused, which is a vote for abort, too, and
     *     tells the caller why
     */
    boolean prepare(A actor, List<R> records);

    /**
     * Makes what was prepared visible, atomically: an operator that begins when this has returned
     * sees all of it. Called on the function that prepared, or on an equal one. Must not fail: an
     * actor that does is opened again from its log.
     */
    void commit(A actor);

    /** Forgets what was prepared. Must not fail, either. */
    void abort(A actor);
  }

  /**
   * Travels through the control log and is applied in log order by all who hold its keys (RB §6).
   *
   * @param <A> the actors it updates
   * @param <R> the records it applies
   */
  non-sealed interface Ordered<A extends Actor, R extends PartitionedRecord>
      extends UpdateFunction<A, R> {
    /**
     * Applies the records, in their order; none if the update addresses every actor. Deterministic,
     * in what it does as well as in whether it refuses: it depends on nothing but the actor, the
     * records and this function. On return, operators that begin see it. There are no aborts: if
     * one actor refuses its part of an update, the others apply theirs, and the caller is told
     * which.
     *
     * @throws UniserveException if the update is refused; the actor must then be as before. An
     *     error whose retry is safe refuses nothing: the update is delivered again until it is
     *     applied
     */
    void update(A actor, List<R> records);
  }
}
