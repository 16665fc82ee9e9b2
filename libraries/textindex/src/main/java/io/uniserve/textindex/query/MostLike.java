package io.uniserve.textindex.query;

import io.uniserve.textindex.query.WordStatistics.Count;
import io.uniserve.textindex.query.WordStatistics.FuzzyTerm;
import io.uniserve.textindex.query.WordStatistics.FuzzyWord;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BoostAttribute;
import org.apache.lucene.search.MaxNonCompetitiveBoostAttribute;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;

/**
 * The words of one index most like a fuzzy term, as many as Lucene uses. Once there are so many,
 * the search skips words that are no better than the worst: with many words at two edits, most of a
 * dictionary. A word that is skipped in one segment, or dropped for a better one, never comes back.
 * The remaining words are therefore counted in all segments.
 */
final class MostLike {
  private static final Comparator<Found> WORST_FIRST =
      Comparator.<Found>comparingDouble(found -> found.likeness)
          .thenComparing(found -> found.word, Comparator.reverseOrder());

  private final IndexReader reader;
  private final Map<BytesRef, Found> kept = new HashMap<>();
  private final PriorityQueue<Found> worstFirst = new PriorityQueue<>(WORST_FIRST);
  private final AttributeSource shared = new AttributeSource();
  private final MaxNonCompetitiveBoostAttribute worst =
      shared.addAttribute(MaxNonCompetitiveBoostAttribute.class);

  private record Found(BytesRef word, float likeness, TermStates places) {
    FuzzyWord counted() {
      return new FuzzyWord(
          word.utf8ToString(), likeness, new Count(places.docFreq(), places.totalTermFreq()));
    }
  }

  private MostLike(IndexReader reader) {
    this.reader = reader;
  }

  /** A receiver of the places of found words. */
  public interface Places {
    void are(BytesRef word, TermStates places);
  }

  /**
   * Finds the words.
   *
   * @return the words, in no order
   */
  static List<FuzzyWord> of(IndexReader reader, FuzzyTerm term, Places told) throws IOException {
    MostLike words = new MostLike(reader);
    FuzzyAutomata automata = FuzzyAutomata.of(term);
    for (LeafReaderContext segment : reader.leaves()) {
      Terms terms = segment.reader().terms(term.field());
      if (terms != null) {
        words.addAll(automata.words(terms, words.shared), segment.ord);
      }
    }
    words.kept.values().forEach(found -> told.are(found.word, found.places));
    return words.kept.values().stream().map(Found::counted).toList();
  }

  private void addAll(TermsEnum words, int segment) throws IOException {
    BoostAttribute likeness = words.attributes().addAttribute(BoostAttribute.class);
    for (BytesRef word = words.next(); word != null; word = words.next()) {
      Found found = kept.get(word);
      if (found == null) {
        found = new Found(word, likeness.getBoost(), new TermStates(reader.getContext()));
        if (isFull() && WORST_FIRST.compare(found, worstFirst.peek()) < 0) {
          continue;
        }
        found = keep(found);
      }
      found.places.register(words.termState(), segment, words.docFreq(), words.totalTermFreq());
    }
  }

  /** Keeps a copy of the found word, and drops the worst if there are too many. */
  private Found keep(Found current) {
    Found found = new Found(BytesRef.deepCopyOf(current.word), current.likeness, current.places);
    if (isFull()) {
      kept.remove(worstFirst.remove().word);
    }
    kept.put(found.word, found);
    worstFirst.add(found);
    if (isFull()) {
      worst.setMaxNonCompetitiveBoost(worstFirst.element().likeness);
      worst.setCompetitiveTerm(worstFirst.element().word);
    }
    return found;
  }

  private boolean isFull() {
    return kept.size() == FuzzyRewrite.WORDS_MAX;
  }
}
