package io.uniserve.textindex;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.codecs.lucene104.ForUtil;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.LeafReader;
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
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
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

  /** Where reading blocks of both words stops being faster than looking up the rarer one's. */
  private static final int FREQUENT_RATIO = 6;

  /** Frequencies in blocks are floats, which are exact up to here. */
  private static final long OCCURRENCES_MAX = 1 << 24;

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
    TermState firstPlace = place(0, leaf);
    TermState secondPlace = place(1, leaf);
    if (firstPlace == null || secondPlace == null) {
      return null;
    }
    Terms terms = Terms.getTerms(leaf.reader(), words.get(0).field());
    if (!terms.hasPositions()) {
      throw new IllegalStateException(
          "field " + words.get(0).field() + " has no positions, which a phrase needs");
    }
    Word first = Word.of(words.get(0).bytes(), firstPlace, terms);
    Word second = Word.of(words.get(1).bytes(), secondPlace, terms);
    return first.documents <= second.documents
        ? new Found(leaf.reader(), first, second, shift)
        : new Found(leaf.reader(), second, first, -shift);
  }

  private TermState place(int word, LeafReaderContext leaf) throws IOException {
    IOSupplier<TermState> place = places.get(word).get(leaf);
    return place == null ? null : place.get();
  }

  /**
   * A word in a segment.
   *
   * @param documents how many hold it
   * @param occurrences in all of them
   * @param matchCost what looking at its positions costs
   */
  private record Word(
      BytesRef text,
      TermState place,
      Terms terms,
      int documents,
      long occurrences,
      float matchCost) {
    static Word of(BytesRef text, TermState place, Terms terms) throws IOException {
      TermsEnum entry = terms.iterator();
      entry.seekExact(text, place);
      return new Word(
          text,
          place,
          terms,
          entry.docFreq(),
          entry.totalTermFreq(),
          PhraseQuery.termPositionsCost(entry));
    }

    PostingsEnum postings(int features) throws IOException {
      TermsEnum entry = terms.iterator();
      entry.seekExact(text, place);
      return entry.postings(null, features);
    }
  }

  /** The documents of a segment, as a clause of another query or all of them at once. */
  private final class Found extends ScorerSupplier {
    private final LeafReader segment;
    private final Word rarer;
    private final Word other;
    private final int shift;

    /**
     * @param shift how far the other word is to be moved to stand where the rarer one is
     */
    Found(LeafReader segment, Word rarer, Word other, int shift) {
      this.segment = segment;
      this.rarer = rarer;
      this.other = other;
      this.shift = shift;
    }

    private BothWords both() throws IOException {
      return new BothWords(
          rarer.postings(PostingsEnum.POSITIONS), other.postings(PostingsEnum.POSITIONS), shift);
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      BothWords both = both();
      TwoPhaseIterator near =
          new TwoPhaseIterator(both) {
            @Override
            public boolean matches() throws IOException {
              return both.near(slop);
            }

            @Override
            public float matchCost() {
              return rarer.matchCost + other.matchCost;
            }
          };
      return new ConstantScoreScorer(score(), ScoreMode.COMPLETE_NO_SCORES, near);
    }

    @Override
    public BulkScorer bulkScorer() throws IOException {
      Optional<PositionsFile> positions =
          areFrequent() ? PositionsFile.of(segment, words.get(0).field()) : Optional.empty();
      if (positions.isPresent()) {
        return new FrequentPair(
            blocks(rarer, positions.get()), blocks(other, positions.get()), shift, slop, scores());
      }
      return bulkScorer(both());
    }

    /** Blocks hold every document of a word; of a much more frequent one, most are not needed. */
    private boolean areFrequent() {
      return rarer.documents >= ForUtil.BLOCK_SIZE
          && other.documents / FREQUENT_RATIO <= rarer.documents
          && Math.max(rarer.occurrences, other.occurrences) < OCCURRENCES_MAX;
    }

    private WordBlocks blocks(Word word, PositionsFile positions) throws IOException {
      return new WordBlocks(
          word.postings(PostingsEnum.FREQS), positions.positions((IntBlockTermState) word.place));
    }

    private Scorable scores() {
      return new Scorable() {
        @Override
        public float score() {
          return WordPair.this.score();
        }
      };
    }

    private BulkScorer bulkScorer(BothWords both) {
      return new BulkScorer() {
        @Override
        public int score(LeafCollector hits, Bits live, int from, int to) throws IOException {
          hits.setScorer(scores());
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
      return rarer.documents;
    }
  }
}
