package io.uniserve.api;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.List;

/**
 * The developer's code that applies records to one actor (DPA §3.2, Fig. 2). Implemented by Java
 * records listed in {@link Engine#types()}; their components are the update's parameters. The
 * sub-interfaces that a function implements say at which levels it can run. If it implements
 * several, the table's {@link Consistency} decides which one the runtime calls.
 *
 * @param <A> the actors it updates
 * @param <R> the records it applies
 */
public sealed interface UpdateFunction<A extends Actor, R extends PartitionedRecord> {
  /**
   * Returns whether the update's answer or errors reveal something about the stored data, such as
   * the number of records found. The caller then needs the right to read the table, too. The
   * default is that every answer does.
   */
  default boolean reads() {
    return answerBytesMax(0) > 0 || answerBytesMax(1) > 0;
  }

  /**
   * Returns the greatest size of the answer of one actor, in bytes of its {@linkplain
   * io.uniserve.api.codec binary form}, each value with the name of its type; 0 if this function
   * answers nothing. More than {@link Answer#BYTES_MAX} is refused before anything is applied. An
   * answer that is larger than said here is a failure of the engine, and nothing is applied.
   *
   * @param records the number of the actor's records
   */
  default int answerBytesMax(int records) {
    return 0;
  }

  /**
   * An update that is applied on the primary, then on every copy in the same order.
   *
   * @param <A> the actors it updates
   * @param <R> the records it applies
   */
  non-sealed interface Eventual<A extends Actor, R extends PartitionedRecord>
      extends UpdateFunction<A, R> {
    /**
     * Applies the records, in their order. There are none if the update addresses every actor, as a
     * deletion by query does. The result and the answer must depend on nothing but the actor, the
     * records and this function, since every copy runs it.
     *
     * @return the answer for a caller; {@link Answer#NONE} unless {@link #answerBytesMax} says more
     * @throws UniserveException if the update is refused; the actor must then be as before
     */
    Answer update(A actor, List<R> records);

    /**
     * Returns whether applying this update twice, without records, leaves an actor as applying it
     * once does. It matters if two actors are merged when only one of them has applied the update.
     * A repeatable update is then applied to the whole merged actor; another one is refused.
     */
    default boolean repeatable() {
      return false;
    }
  }

  /**
   * The participant of a two-phase commit (DPA §4.2). The runtime calls {@link #prepare}, and then
   * exactly one of {@link #commit} and {@link #abort}, perhaps much later. In between it applies
   * nothing else to the actor and does not serialise it. The runtime keeps the prepared records in
   * its own log. An actor that is closed or lost in between is opened as before the transaction and
   * prepares again. The engine therefore need not make prepared records durable.
   *
   * <p>Every copy prepares the same records and must come to the same result. The function must
   * therefore depend on nothing but the actor, the records and itself.
   *
   * <p><b>Together.</b> Functions for which {@link Engine#preparesTogether} returns true may be
   * prepared one after the other on the same actor, each as if those before it were committed. One
   * call of {@code commit} or {@code abort}, of the last function that was prepared, then ends all
   * of them. If one of them refuses, the runtime calls {@code abort} of the one before it, and
   * everything is discarded; the actor may have discarded everything by itself.
   *
   * @param <A> the actors it updates
   * @param <R> the records it applies
   */
  non-sealed interface Serializable<A extends Actor, R extends PartitionedRecord>
      extends UpdateFunction<A, R> {
    /**
     * Makes the records ready to become visible. Operators must not see them yet. There are none if
     * the update addresses every actor.
     *
     * @return false to vote for abort; the actor must then be as before, and {@link #abort} is not
     *     called
     * @throws UniserveException if the records are refused; this is a vote for abort, too, and its
     *     message reaches the caller
     */
    boolean prepare(A actor, List<R> records);

    /**
     * Returns what the caller is told once the prepared records are committed. Called after {@link
     * #prepare} has returned true and before anything else, also on every copy, which must answer
     * alike.
     */
    default Answer answer(A actor) {
      return Answer.NONE;
    }

    /**
     * Makes the prepared records visible, atomically: an operator that begins after this returns
     * sees all of them. Called on the function that prepared, or on an equal one. Must not fail. An
     * actor whose commit fails is opened again from its log.
     */
    void commit(A actor);

    /** Discards the prepared records. Must not fail. */
    void abort(A actor);
  }

  /**
   * An update that passes through the control log. All servers that hold its keys apply it in log
   * order (RB §6).
   *
   * @param <A> the actors it updates
   * @param <R> the records it applies
   */
  non-sealed interface Ordered<A extends Actor, R extends PartitionedRecord>
      extends UpdateFunction<A, R> {
    /**
     * Applies the records, in their order. There are none if the update addresses every actor. The
     * effect, the answer, and the decision to refuse, must depend on nothing but the actor, the
     * records and this function. Operators that begin after this returns see the records. There are
     * no aborts: if one actor refuses its part of an update, the others apply theirs, and the
     * caller learns which actor refused.
     *
     * @return the answer for a caller; {@link Answer#NONE} unless {@link #answerBytesMax} says more
     * @throws UniserveException if the update is refused; the actor must then be as before. A
     *     retryable error is no refusal: the update is delivered again until it is applied
     */
    Answer update(A actor, List<R> records);
  }
}
