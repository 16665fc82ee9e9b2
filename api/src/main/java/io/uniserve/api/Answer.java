package io.uniserve.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * The answer of an update function to a caller, by one actor. Values are of {@link Engine#types()}
 * or documents: what a {@link Operator.Retrieve} may give, too. The runtime keeps an answer for as
 * long as it knows the update's idempotency key, so an update that is sent again gets the answer of
 * the first time.
 */
public sealed interface Answer {
  /** The greatest number of bytes of an answer. */
  int BYTES_MAX = 64 << 10;

  /** The answer of an update that answers nothing. */
  Answer NONE = new None();

  /** No answer. */
  record None() implements Answer {}

  /**
   * One value for all records of the actor together.
   *
   * @param value the value, such as the number of records found
   */
  record Whole(Object value) implements Answer {
    /** Refuses the lack of a value, which is {@link #NONE}. */
    public Whole {
      Objects.requireNonNull(value, "an answer");
    }
  }

  /**
   * One value for each record.
   *
   * @param values the values, in the order of the actor's records
   */
  record Each(List<?> values) implements Answer {
    /** Copies the list, whose values may be null. */
    public Each {
      values = Collections.unmodifiableList(new ArrayList<>(values));
    }
  }

  /** Makes one value for all records together. */
  static Answer of(Object value) {
    return new Whole(value);
  }

  /** Makes one value for each record. */
  static Answer each(List<?> values) {
    return new Each(values);
  }
}
