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
 * Searches one index, scoring with statistics that it is given, as those of all indexes that are
 * searched as one, else with its own. Without caches. Used by one thread.
 *
 * <p>All words of a fuzzy term score with one count. Since Lucene asks for statistics by word
 * alone, and a word may also be searched for itself, they carry a mark: occurrences beyond {@link
 * #MARK}, the rest of which is the place of their count.
 */
public final class StatisticsSearcher extends IndexSearcher {
  private static final long MARK = 1L << 62;

  private final Optional<WordStatistics> given;
  private final List<Count> fuzzyCounts = new ArrayList<>();
  private final Map<Term, TermStates> places = new HashMap<>();
  private final WordPlaces left;
  private final Dictionaries dictionaries;

  /**
   * @param dictionaries of the reader
   * @param left where words of this index are, as far as a searcher has {@linkplain #leavePlaces
   *     left} that
   * @param over whether nobody wants the answer any more; the search then ends before it is done,
   *     and {@link #timedOut} says so
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
    // A word that came in after the counting counts as the first of its kind.
    Count count =
        occurrences >= MARK
            ? fuzzyCounts.get((int) (occurrences - MARK))
            : given
                .map(all -> all.words().getOrDefault(Word.of(term), new Count(1, 1)))
                .orElse(new Count(documents, occurrences));
    return new TermStatistics(term.bytes(), count.documents(), count.occurrences());
  }

  /** What the index itself counts of a field; empty if it has no words. */
  Optional<CollectionStatistics> ownStatistics(String field) throws IOException {
    return dictionaries.counted(field);
  }

  /** Where a word is, looked up once. */
  public TermStates places(Term term) throws IOException {
    TermStates known = places.get(term);
    if (known == null) {
      Optional<TermStates> found = left.take(term, getTopReaderContext());
      known = found.isPresent() ? found.get() : dictionaries.places(term);
      places.put(term, known);
    }
    return known;
  }

  /** The words of the index most like a fuzzy term, in no order; they are looked up then, too. */
  List<FuzzyWord> like(FuzzyTerm fuzzy) throws IOException {
    return MostLike.of(
        getIndexReader(), fuzzy, (word, found) -> places.put(new Term(fuzzy.field(), word), found));
  }

  /**
   * The documents of a segment that have a word, and how often; to be read before those of another
   * word of the segment are asked for. None if it has none.
   *
   * @param places of the word
   */
  public Optional<PostingsEnum> documents(Term word, TermStates places, LeafReaderContext segment)
      throws IOException {
    IOSupplier<TermState> place = places.get(segment);
    return place == null
        ? Optional.empty()
        : Optional.of(dictionaries.documents(word, segment, place.get()));
  }

  /** Leaves the places of the words that it has looked up to a search that will need them. */
  public void leavePlaces() {
    places.forEach(left::leave);
  }

  @Override
  public Weight createWeight(Query query, ScoreMode mode, float boost) throws IOException {
    return switch (query) {
      // Lucene would have what is boosted make its own weight.
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

  /** What stands for a fuzzy term. */
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
