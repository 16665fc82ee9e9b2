package io.uniserve.textindex.query;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A store of values that were made for the latest queries, so that the actors of a process make
 * each only once. Queries are compared by identity: an equal query does not reuse a value.
 */
public final class Latest<T> {
  private final AtomicReferenceArray<T> places;

  /**
   * Makes a store.
   *
   * @param powerOfTwo the most values to keep, a power of two
   */
  public Latest(int powerOfTwo) {
    places = new AtomicReferenceArray<>(powerOfTwo);
  }

  /**
   * Returns the kept value, or makes one. If two threads make it at once, both get the kept one.
   *
   * @param key the object whose identity decides the place
   * @param fits tests whether a value at that place was made for this query
   */
  public T of(Object key, Predicate<T> fits, Supplier<T> make) {
    int place = System.identityHashCode(key) & (places.length() - 1);
    T kept = places.get(place);
    if (kept != null && fits.test(kept)) {
      return kept;
    }
    T made = make.get();
    T meanwhile = places.compareAndExchange(place, kept, made);
    return meanwhile != kept && fits.test(meanwhile) ? meanwhile : made;
  }
}
