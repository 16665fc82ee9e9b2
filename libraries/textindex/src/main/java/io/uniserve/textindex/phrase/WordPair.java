package io.uniserve.textindex.phrase;

import java.io.IOException;
import java.util.ArrayList;
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
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOSupplier;

/**
 * A search for all documents of a phrase of two words, sloppy or not. It is used if no scores are
 * needed or if all hits are counted. It finds the same documents with the same scores as Lucene's
 * own matcher. Lucene keeps the words in a queue; this class merges two lists.
 */
public final class WordPair extends Weight {

  /** A lookup of the places of a term in an index. */
  @FunctionalInterface
  public interface Places {
    TermStates of(Term term) throws IOException;
  }

  /**
   * The ratio of frequencies from which looking up the rarer word's documents is faster than
   * reading blocks of both.
   */
  private static final int FREQUENT_RATIO = 6;

  /** The most occurrences for blocks, whose frequencies are floats and exact up to this number. */
  private static final long OCCURRENCES_MAX = 1 << 24;

  private final List<Term> words;
  private final List<TermStates> places;
  private final Optional<SimScorer> scorer;
  private final int shift;
  private final int slop;

  private WordPair(PhraseQuery phrase, List<TermStates> places, Optional<SimScorer> scorer) {
    super(phrase);
    this.words = List.of(phrase.getTerms());
    this.places = places;
    this.scorer = scorer;
    this.shift = phrase.getPositions()[0] - phrase.getPositions()[1];
    this.slop = phrase.getSlop();
  }

  /** Returns whether a phrase has two different words. */
  public static boolean is(PhraseQuery phrase) {
    Term[] words = phrase.getTerms();
    return words.length == 2 && !words[0].equals(words[1]);
  }

  /**
   * Makes a search without scores.
   *
   * @param phrase a phrase of which {@link #is} is true
   */
  public static WordPair unscored(PhraseQuery phrase, Places places) throws IOException {
    return new WordPair(phrase, both(phrase, places), Optional.empty());
  }

  /**
   * Makes a search for all documents with their scores.
   *
   * @param phrase a phrase of which {@link #is} is true
   * @param places a lookup of places with counts
   * @param searcher the searcher, whose statistics and similarity make the scores
   */
  public static WordPair scored(
      PhraseQuery phrase, Places places, IndexSearcher searcher, float boost) throws IOException {
    List<TermStates> both = both(phrase, places);
    List<TermStatistics> counted = new ArrayList<>();
    for (int i = 0; i < both.size(); i++) {
      TermStates word = both.get(i);
      if (word.docFreq() > 0) {
        counted.add(
            searcher.termStatistics(phrase.getTerms()[i], word.docFreq(), word.totalTermFreq()));
      }
    }
    return new WordPair(
        phrase,
        both,
        counted.isEmpty()
            ? Optional.empty()
            : Optional.of(
                searcher
                    .getSimilarity()
                    .scorer(
                        boost,
                        searcher.collectionStatistics(phrase.getField()),
                        counted.toArray(TermStatistics[]::new))));
  }

  private static List<TermStates> both(PhraseQuery phrase, Places places) throws IOException {
    return List.of(places.of(phrase.getTerms()[0]), places.of(phrase.getTerms()[1]));
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
        ? new Found(leaf.reader(), first, second, shift, true)
        : new Found(leaf.reader(), second, first, -shift, false);
  }

  @Override
  public Explanation explain(LeafReaderContext leaf, int document) throws IOException {
    Scorer found = scorer(leaf);
    return found != null && found.iterator().advance(document) == document
        ? Explanation.match(found.score(), "both words near each other, of " + parentQuery)
        : Explanation.noMatch("not both words near each other, of " + parentQuery);
  }

  private TermState place(int word, LeafReaderContext leaf) throws IOException {
    IOSupplier<TermState> place = places.get(word).get(leaf);
    return place == null ? null : place.get();
  }

  /**
   * A word in a segment.
   *
   * @param documents the number of documents that have it
   * @param occurrences the number of occurrences in all of them
   * @param matchCost the cost of reading its positions
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

  /** The hits of a segment, as a clause of another query or all at once. */
  private final class Found extends ScorerSupplier {
    private final LeafReader segment;
    private final Word rarer;
    private final Word other;
    private final int shift;
    private final boolean rarerLeads;

    /**
     * Makes the hits.
     *
     * @param shift the distance from the other word to the place of the rarer one
     * @param rarerLeads true if the phrase has the rarer word first
     */
    Found(LeafReader segment, Word rarer, Word other, int shift, boolean rarerLeads) {
      this.segment = segment;
      this.rarer = rarer;
      this.other = other;
      this.shift = shift;
      this.rarerLeads = rarerLeads;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      return hits().scorer(rarer.matchCost + other.matchCost);
    }

    private PairHits hits() throws IOException {
      BothWords both =
          new BothWords(
              rarer.postings(PostingsEnum.POSITIONS),
              other.postings(PostingsEnum.POSITIONS),
              shift);
      if (scorer.isEmpty()) {
        return new PairHits(both, () -> both.near(slop), new Unscored(), 0);
      }
      PairScores scores = scores(scorer.get());
      PairFrequency frequency = frequency();
      return new PairHits(
          both, () -> scores.turnTo(both.docID(), both.frequency(frequency)), scores, scores.max());
    }

    private PairScores scores(SimScorer scorer) throws IOException {
      return new PairScores(scorer, segment.getNormValues(words.get(0).field()));
    }

    private PairFrequency frequency() {
      return new PairFrequency(shift, slop, rarerLeads);
    }

    @Override
    public BulkScorer bulkScorer() throws IOException {
      Optional<PositionsFile> positions =
          areFrequent() ? PositionsFile.of(segment, words.get(0).field()) : Optional.empty();
      return positions.isPresent() ? frequentPair(positions.get()) : hits().bulkScorer();
    }

    private FrequentPair frequentPair(PositionsFile positions) throws IOException {
      WordBlocks first = blocks(rarer, positions);
      WordBlocks second = blocks(other, positions);
      return scorer.isPresent()
          ? new ScoredPair(first, second, frequency(), scores(scorer.get()))
          : new CountedPair(first, second, shift, slop);
    }

    /**
     * Returns whether both words are about equally frequent. Blocks contain every document of a
     * word, most of which are not needed for a much more frequent one.
     */
    private boolean areFrequent() {
      return rarer.documents >= ForUtil.BLOCK_SIZE
          && other.documents / FREQUENT_RATIO <= rarer.documents
          && Math.max(rarer.occurrences, other.occurrences) < OCCURRENCES_MAX;
    }

    private WordBlocks blocks(Word word, PositionsFile positions) throws IOException {
      return new WordBlocks(
          word.postings(PostingsEnum.FREQS), positions.positions((IntBlockTermState) word.place));
    }

    @Override
    public long cost() {
      return rarer.documents;
    }
  }
}
