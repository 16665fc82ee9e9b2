package io.uniserve.api;

import java.util.List;

/**
 * The developer's code that applies records to one actor (DPA §3.2, Fig. 2). Implemented by Java
 * records listed in {@link Engine#types()}; their components are the update's parameters. The
 * sub-interface chooses the consistency level.
 *
 * @param <A> the actors it updates
 * @param <R> the records it applies
 */
public sealed interface UpdateFunction<A extends Actor, R extends PartitionedRecord> {

  /** The level at which the runtime runs this update. */
  Consistency consistency();

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

    @Override
    default Consistency consistency() {
      return Consistency.EVENTUAL;
    }
  }

  /**
   * The participant of a two-phase commit. At most one transaction is prepared on an actor at a
   * time.
   *
   * @param <A> the actors it updates
   * @param <R> the records it applies
   */
  non-sealed interface Serializable<A extends Actor, R extends PartitionedRecord>
      extends UpdateFunction<A, R> {
    /** Makes the records ready to become visible. False votes for abort. */
    boolean prepare(A actor, List<R> records);

    /** Makes what was prepared visible, atomically. Must not fail. */
    void commit(A actor);

    /** Forgets what was prepared. Also called when nothing was. */
    void abort(A actor);

    @Override
    default Consistency consistency() {
      return Consistency.SERIALIZABLE;
    }
  }

  /**
   * A serializable update of a table whose reads see one version everywhere; needs {@link
   * Actor#snapshot()}.
   *
   * @param <A> the actors it updates
   * @param <R> the records it applies
   */
  interface Snapshot<A extends Actor, R extends PartitionedRecord> extends Serializable<A, R> {
    @Override
    default Consistency consistency() {
      return Consistency.SNAPSHOT;
    }
  }

  /**
   * Travels through the control log and is applied in log order by all who hold its keys (RB §6).
   *
   * @param <A> the actors it updates
   * @param <R> the records it applies
   */
  non-sealed interface Ordered<A extends Actor, R extends PartitionedRecord>
      extends UpdateFunction<A, R> {
    /** Applies the records, deterministically. */
    void update(A actor, List<R> records);

    @Override
    default Consistency consistency() {
      return Consistency.ORDERED;
    }
  }
}
