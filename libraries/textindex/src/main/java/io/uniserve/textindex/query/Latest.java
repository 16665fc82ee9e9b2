package io.uniserve.textindex.query;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What was made for the latest queries, so that the actors of a process make it once for each.
 * Asked for by identity: nothing is kept from one query for another that is equal to it.
 */
public final class Latest<T> {
  private final AtomicReferenceArray<T> places;

  /**
   * @param powerOfTwo how many to keep at most
   */
  public Latest(int powerOfTwo) {
    places = new AtomicReferenceArray<>(powerOfTwo);
  }

  /**
   * What is kept, else made. Where two threads make it at once, both get what is kept then.
   *
   * @param key whose identity says where it is kept
   * @param fits whether something kept there was made for this query
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
