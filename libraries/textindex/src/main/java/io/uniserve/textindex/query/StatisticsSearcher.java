package io.uniserve.textindex.query;

import io.uniserve.textindex.codec.Dictionaries;
import io.uniserve.textindex.phrase.WordPair;
import io.uniserve.textindex.phrase.WordPlaces;
import io.uniserve.textindex.query.WordStatistics.Count;
import io.uniserve.textindex.query.WordStatistics.FuzzyTerm;
import io.uniserve.textindex.query.WordStatistics.FuzzyWord;
import io.uniserve.textindex.query.WordStatistics.Word;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.IOSupplier;

/**
 * A searcher of one index that scores with given statistics, such as those of several indexes
 * together, or with its own. It has no caches. Used by one thread.
 *
 * <p>All words of a fuzzy term score with one count. Lucene asks for statistics by the word alone,
 * and a word may also be searched for itself. Words of fuzzy terms are therefore marked: their
 * occurrences are beyond {@link #MARK}, and the rest is the place of their count.
 */
public final class StatisticsSearcher extends IndexSearcher {
  private static final long MARK = 1L << 62;

  private final Optional<WordStatistics> given;
  private final List<Count> fuzzyCounts = new ArrayList<>();
  private final Map<Term, TermStates> places = new HashMap<>();
  private final WordPlaces left;
  private final Dictionaries dictionaries;

  /**
   * Makes a searcher.
   *
   * @param dictionaries the dictionaries of the reader
   * @param left the places of words that an earlier searcher has {@linkplain #leavePlaces left}
   * @param over returns true once nobody wants the answer any more; the search then ends early, and
   *     {@link #timedOut} says so
   */
  public StatisticsSearcher(
      IndexReader reader,
      Dictionaries dictionaries,
      Optional<WordStatistics> given,
      WordPlaces left,
      QueryTimeout over) {
    super(reader);
    this.dictionaries = dictionaries;
    this.given = given;
    this.left = left;
    setQueryCache(null);
    setTimeout(over);
  }

  @Override
  public TermStatistics termStatistics(Term term, int documents, long occurrences) {
    // A word that was added after the counting counts as one occurrence.
    Count count =
        occurrences >= MARK
            ? fuzzyCounts.get((int) (occurrences - MARK))
            : given
                .map(all -> all.words().getOrDefault(Word.of(term), new Count(1, 1)))
                .orElse(new Count(documents, occurrences));
    return new TermStatistics(term.bytes(), count.documents(), count.occurrences());
  }

  /** Returns the index's own counts of a field; empty if it has no words. */
  Optional<CollectionStatistics> ownStatistics(String field) throws IOException {
    return dictionaries.counted(field);
  }

  /** Returns the places of a word, which is looked up once. */
  public TermStates places(Term term) throws IOException {
    TermStates known = places.get(term);
    if (known == null) {
      Optional<TermStates> found = left.take(term, getTopReaderContext());
      known = found.isPresent() ? found.get() : dictionaries.places(term);
      places.put(term, known);
    }
    return known;
  }

  /** Returns the words of the index most like a fuzzy term, in no order, and looks them up. */
  List<FuzzyWord> like(FuzzyTerm fuzzy) throws IOException {
    return MostLike.of(
        getIndexReader(), fuzzy, (word, found) -> places.put(new Term(fuzzy.field(), word), found));
  }

  /**
   * Returns the documents of a segment with a word, and the word's frequencies; empty if there are
   * none. They must be read before those of another word of the segment are asked for.
   *
   * @param places the places of the word
   */
  public Optional<PostingsEnum> documents(Term word, TermStates places, LeafReaderContext segment)
      throws IOException {
    IOSupplier<TermState> place = places.get(segment);
    return place == null
        ? Optional.empty()
        : Optional.of(dictionaries.documents(word, segment, place.get()));
  }

  /** Leaves the places of the words that it has looked up for a later search. */
  public void leavePlaces() {
    places.forEach(left::leave);
  }

  @Override
  public Weight createWeight(Query query, ScoreMode mode, float boost) throws IOException {
    return switch (query) {
      // Lucene would let the boosted query make its own weight.
      case BoostQuery boosted -> createWeight(boosted.getQuery(), mode, boosted.getBoost() * boost);
      case PhraseQuery phrase when !mode.needsScores() && WordPair.is(phrase) ->
          WordPair.unscored(phrase, this::places);
      case PhraseQuery phrase when mode == ScoreMode.COMPLETE && WordPair.is(phrase) ->
          WordPair.scored(phrase, this::places, this, boost);
      case TermQuery word when word.getTermStates() == null ->
          super.createWeight(placed(word), mode, boost);
      default -> super.createWeight(query, mode, boost);
    };
  }

  private Query placed(TermQuery query) throws IOException {
    return new TermQuery(query.getTerm(), places(query.getTerm()));
  }

  @Override
  public CollectionStatistics collectionStatistics(String field) throws IOException {
    CollectionStatistics counted = given.map(all -> all.fields().get(field)).orElse(null);
    return counted != null ? counted : ownStatistics(field).orElse(null);
  }

  /** Returns the query that replaces a fuzzy term. */
  Query replace(FuzzyQuery query) throws IOException {
    return given.isPresent()
        ? anyOf(query.getField(), given.get().fuzzy().getOrDefault(FuzzyTerm.of(query), List.of()))
        : FuzzyRewrite.byLucene(this, query);
  }

  private Query anyOf(String field, List<FuzzyWord> words) throws IOException {
    fuzzyCounts.add(
        words.stream().map(FuzzyWord::count).reduce(Count::blendedWith).orElse(new Count(1, 1)));
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (FuzzyWord word : words) {
      Term term = new Term(field, word.text());
      Query exactly = new TermQuery(term, marked(places(term)));
      float boost = Math.max(0, word.likeness());
      any.add(boost == 1 ? exactly : new BoostQuery(exactly, boost), Occur.SHOULD);
    }
    return any.build();
  }

  private TermStates marked(TermStates places) throws IOException {
    TermStates marked = new TermStates(getTopReaderContext());
    for (LeafReaderContext leaf : getLeafContexts()) {
      IOSupplier<TermState> place = places.get(leaf);
      if (place != null) {
        marked.register(place.get(), leaf.ord);
      }
    }
    marked.accumulateStatistics(1, MARK + fuzzyCounts.size() - 1);
    return marked;
  }
}
