package io.uniserve.runtime.wire;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.ReadPoint;
import java.util.List;
import java.util.Optional;

/** The messages of the retrieve operator (DPA §3.3). */
public sealed interface QueryMessage extends Message {

  /**
   * A request to a server to run a retrieve operator on some of its actors. Answered, for each
   * actor, by {@link Retrieved} until the last, or by {@link Unretrieved}; the call ends after all
   * actors have answered.
   *
   * @param table the table's identity
   * @param actors the actors' numbers
   * @param generations the generations of their keys, in the same order; an actor of another
   *     generation does not answer; empty if none was ever split
   * @param operator the operator
   * @param brief the operator's {@link io.uniserve.api.Operator.Retrieve#brief}
   * @param point the point in the table's history that is read; empty to read the newest data of
   *     each actor
   */
  @Name("Retrieve")
  record Retrieve(
      long table,
      List<Integer> actors,
      List<Integer> generations,
      Payload operator,
      boolean brief,
      Optional<ReadPoint> point)
      implements QueryMessage {
    /** Checks that there is a generation for each actor, or none at all. */
    public Retrieve {
      if (!generations.isEmpty() && generations.size() != actors.size()) {
        throw UniserveException.invalid(
            generations.size() + " generations of " + actors.size() + " actors");
      }
    }

    /** Creates a request for actors that were never split. */
    public Retrieve(
        long table,
        List<Integer> actors,
        Payload operator,
        boolean brief,
        Optional<ReadPoint> point) {
      this(table, actors, List.of(), operator, brief, point);
    }

    /** Returns the generation of the actor at this place of the list. */
    public int generation(int place) {
      return generations.isEmpty() ? 0 : generations.get(place);
    }
  }

  /**
   * Values from one actor.
   *
   * @param actor its number
   * @param values the values, in the order in which the operator put them
   * @param last true if the operator has ended, without failure
   */
  @Name("Retrieved")
  record Retrieved(int actor, List<Payload> values, boolean last) implements QueryMessage {}

  /**
   * The failure of an operator on one actor, whose earlier values are void.
   *
   * @param actor its number
   * @param code the code of the failure
   * @param message the failure
   */
  @Name("Unretrieved")
  record Unretrieved(int actor, ErrorCode code, String message) implements QueryMessage {}
}
