package io.uniserve.api.partition;

import io.uniserve.api.error.UniserveException;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Function;

/**
 * The partition keys that a query reads of an input ({@code keysToQuery} in DPA Fig. 2). Actors
 * that hold none of them are not asked.
 */
public sealed interface Keys {

  /** Every key. */
  Keys ALL = new All();

  /** Every key. */
  record All() implements Keys {}

  /**
   * These keys alone.
   *
   * @param keys the keys, in any order
   */
  record Of(List<PartitionKey> keys) implements Keys {
    /** Copies the keys. */
    public Of {
      keys = List.copyOf(keys);
    }
  }

  /**
   * The keys of an interval.
   *
   * @param from inclusive; empty for the smallest
   * @param to exclusive; empty for the largest
   */
  record Range(Optional<PartitionKey> from, Optional<PartitionKey> to) implements Keys {
    /** Checks the order of the ends. */
    public Range {
      if (from.isPresent() && to.isPresent() && from.get().compareTo(to.get()) >= 0) {
        throw UniserveException.invalid(
            "an empty key range: " + from.get() + " is not below " + to.get());
      }
    }
  }

  /**
   * The keys of some actors, which are chosen when the query is planned.
   *
   * @param choice returns numbers of existing actors. It is called when the query is planned, and
   *     again if the query must be planned anew because an actor was split or merged. The last
   *     choice counts
   */
  record OfActors(Function<Partitioner, SortedSet<Integer>> choice) implements Keys {}

  /** Makes a selection of these keys alone. */
  static Keys of(PartitionKey... keys) {
    return new Of(List.of(keys));
  }
}
