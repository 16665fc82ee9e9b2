package io.uniserve.textindex.phrase;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;

/**
 * The places of words that have been counted for coming searches. Looking a word up in every
 * segment is most of the cost of a search for a rare one, and counting it has done so already. Each
 * place is left once and taken once, so every search still looks its words up, and this is no
 * cache. It is safe for use by many threads. A missing place is looked up again.
 */
public final class WordPlaces {
  private static final int SLOTS = 64;

  private record Place(Term term, TermStates states) {}

  private final AtomicReferenceArray<Place> slots = new AtomicReferenceArray<>(SLOTS);

  /** Leaves a place, which may replace another one that nobody has taken. */
  public void leave(Term term, TermStates states) {
    slots.set(slot(term), new Place(term, states));
  }

  /** Takes the place of a word, if a count of the same index has left it. */
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
