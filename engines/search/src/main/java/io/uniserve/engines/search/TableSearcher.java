package io.uniserve.engines.search;

import io.uniserve.api.OperatorContext;
import io.uniserve.engines.search.TableStatistics.*;
import java.io.IOException;
import java.util.*;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.util.IOSupplier;

/**
 * Searches one actor for one request. Scores with the statistics of the table if it is given them;
 * otherwise with the actor's own, and notes them. Without caches; stops when the request is over.
 * Used by one thread.
 *
 * <p>All words of a fuzzy term score with one count. Since Lucene asks for statistics by word
 * alone, and a word may also be searched for itself, they carry a mark: occurrences beyond {@link
 * #MARK}, the rest of which is the place of their count.
 */
final class TableSearcher extends IndexSearcher {
  private static final long MARK = 1L << 62;

  private final Optional<TableStatistics> table;
  private final TableStatistics noted = TableStatistics.empty();
  private final List<Count> fuzzyCounts = new ArrayList<>();

  TableSearcher(IndexReader reader, Optional<TableStatistics> table, OperatorContext request) {
    super(reader);
    this.table = table;
    setQueryCache(null);
    setTimeout(request::cancelled);
  }

  TableStatistics noted() {
    return noted;
  }

  @Override
  public TermStatistics termStatistics(Term term, int documents, long occurrences) {
    Word word = new Word(term.field(), term.text());
    Count own = new Count(documents, occurrences);
    if (occurrences >= MARK) {
      own = fuzzyCounts.get((int) (occurrences - MARK));
    } else if (table.isEmpty()) {
      noted.words().put(word, own);
    } else {
      // A word that came in after the counting counts as the first of its kind.
      own = table.get().words().getOrDefault(word, new Count(1, 1));
    }
    return new TermStatistics(term.bytes(), own.documents(), own.occurrences());
  }

  @Override
  public CollectionStatistics collectionStatistics(String field) throws IOException {
    CollectionStatistics counted = table.map(all -> all.fields().get(field)).orElse(null);
    CollectionStatistics known = counted != null ? counted : super.collectionStatistics(field);
    if (known != null) {
      noted.fields().put(field, known);
    }
    return known;
  }

  /** Any word that a fuzzy term stands for; {@code words} finds those of this actor. */
  Query anyOf(FuzzyTerm fuzzy, IOSupplier<List<FuzzyWord>> words) throws IOException {
    List<FuzzyWord> known = table.orElse(noted).fuzzy().get(fuzzy);
    List<FuzzyWord> all = known != null ? known : words.get();
    noted.fuzzy().put(fuzzy, all);
    fuzzyCounts.add(
        all.stream().map(FuzzyWord::count).reduce(Count::blendedWith).orElse(new Count(1, 1)));
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (FuzzyWord word : all) {
      Term term = new Term(fuzzy.field(), word.text());
      Query exactly = new TermQuery(term, marked(TermStates.build(this, term, true)));
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
