package io.uniserve.textindex;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.IOSupplier;

/**
 * Finds the documents of a phrase of two words, sloppy or not, when nobody asks for scores: counts,
 * filters, facets. Finds the same documents as Lucene's own matcher, which keeps the words in a
 * queue and looks for the best match; here two lists are merged until the first match.
 */
final class WordPair extends ConstantScoreWeight {

  /** Where a term is in an index. */
  @FunctionalInterface
  interface Places {
    TermStates of(Term term) throws IOException;
  }

  private final List<Term> words;
  private final List<TermStates> places;
  private final int shift;
  private final int slop;

  private WordPair(PhraseQuery phrase, Places places) throws IOException {
    super(phrase, 1);
    this.words = List.of(phrase.getTerms());
    this.places = List.of(places.of(words.get(0)), places.of(words.get(1)));
    this.shift = phrase.getPositions()[0] - phrase.getPositions()[1];
    this.slop = phrase.getSlop();
  }

  /** Whether a phrase has two words that differ. */
  static boolean is(PhraseQuery phrase) {
    Term[] words = phrase.getTerms();
    return words.length == 2 && !words[0].equals(words[1]);
  }

  /**
   * @param phrase of which {@link #is} is true
   */
  static WordPair of(PhraseQuery phrase, Places places) throws IOException {
    return new WordPair(phrase, places);
  }

  @Override
  public boolean isCacheable(LeafReaderContext leaf) {
    return true;
  }

  @Override
  public ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
    IOSupplier<TermState> first = places.get(0).get(leaf);
    IOSupplier<TermState> second = places.get(1).get(leaf);
    TermState firstState = first == null ? null : first.get();
    TermState secondState = second == null ? null : second.get();
    if (firstState == null || secondState == null) {
      return null;
    }
    Terms terms = Terms.getTerms(leaf.reader(), words.get(0).field());
    if (!terms.hasPositions()) {
      throw new IllegalStateException(
          "field " + words.get(0).field() + " has no positions, which a phrase needs");
    }
    TermsEnum entry = terms.iterator();
    entry.seekExact(words.get(0).bytes(), firstState);
    PostingsEnum firsts = entry.postings(null, PostingsEnum.POSITIONS);
    float cost = PhraseQuery.termPositionsCost(entry);
    entry.seekExact(words.get(1).bytes(), secondState);
    PostingsEnum seconds = entry.postings(null, PostingsEnum.POSITIONS);
    cost += PhraseQuery.termPositionsCost(entry);
    return new Found(
        firsts.cost() <= seconds.cost()
            ? new BothWords(firsts, seconds, shift)
            : new BothWords(seconds, firsts, -shift),
        cost);
  }

  /** The documents of a segment, as a clause of another query or all of them at once. */
  private final class Found extends ScorerSupplier {
    private final BothWords both;
    private final float matchCost;

    Found(BothWords both, float matchCost) {
      this.both = both;
      this.matchCost = matchCost;
    }

    @Override
    public Scorer get(long leadCost) {
      TwoPhaseIterator near =
          new TwoPhaseIterator(both) {
            @Override
            public boolean matches() throws IOException {
              return both.near(slop);
            }

            @Override
            public float matchCost() {
              return matchCost;
            }
          };
      return new ConstantScoreScorer(score(), ScoreMode.COMPLETE_NO_SCORES, near);
    }

    @Override
    public BulkScorer bulkScorer() {
      return new BulkScorer() {
        @Override
        public int score(LeafCollector hits, Bits live, int from, int to) throws IOException {
          hits.setScorer(get(cost()));
          int document = both.docID() < from ? both.advance(from) : both.docID();
          for (; document < to; document = both.nextDoc()) {
            if ((live == null || live.get(document)) && both.near(slop)) {
              hits.collect(document);
            }
          }
          return document;
        }

        @Override
        public long cost() {
          return both.cost();
        }
      };
    }

    @Override
    public long cost() {
      return both.cost();
    }
  }
}
