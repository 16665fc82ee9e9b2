package io.uniserve.textindex.phrase;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;

/**
 * Where words are that have been counted for searches which are about to come. To look a word up in
 * every segment is most of what a search for a rare one costs, and who counted it did so already.
 * Each place is left once and taken once, so that every search still has its words looked up: this
 * is no cache. Safe for use by many threads; what is not there is looked up again.
 */
public final class WordPlaces {
  private static final int SLOTS = 64;

  private record Place(Term term, TermStates states) {}

  private final AtomicReferenceArray<Place> slots = new AtomicReferenceArray<>(SLOTS);

  /** Leaves a place, instead of another one that nobody has taken. */
  public void leave(Term term, TermStates states) {
    slots.set(slot(term), new Place(term, states));
  }

  /** Takes the place of a word, if it was left by somebody who read the same index. */
  public Optional<TermStates> take(Term term, IndexReaderContext index) {
    int slot = slot(term);
    Place place = slots.get(slot);
    return place != null
            && place.term.equals(term)
            && place.states.wasBuiltFor(index)
            && slots.compareAndSet(slot, place, null)
        ? Optional.of(place.states)
        : Optional.empty();
  }

  private static int slot(Term term) {
    return Math.floorMod(term.hashCode(), SLOTS);
  }
}
