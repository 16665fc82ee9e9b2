package io.uniserve.engines.search;

import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.query.WordStatistics;
import io.uniserve.textindex.query.WordStatistics.Count;
import io.uniserve.textindex.query.WordStatistics.Word;
import java.util.function.Supplier;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.automaton.ByteRunAutomaton;

/**
 * A test whether a search is {@linkplain io.uniserve.api.Operator.Retrieve#brief brief}: it reads
 * only its words' documents, which are few in the whole table, and the fields of a few hits.
 *
 * @param words the words that are counted before the search
 */
record Brevity(BoundRequest bound, CountWords words) {
  /** The most documents that can be examined in some microseconds. */
  private static final long DOCUMENTS_MAX = 500;

  /**
   * The number of documents that can be examined in the time that fetching the fields of one takes.
   */
  private static final int DOCUMENTS_PER_FETCH = 20;

  /** Returns whether the search is brief, given the counts of the words in the whole table. */
  boolean of(WordStatistics counted) {
    HitContents contents = bound.request().contents();
    if (!bound.request().facets().isEmpty() || contents.highlighting().isPresent()) {
      return false;
    }
    Reading reading = new Reading(counted);
    bound.matched().visit(reading);
    long fetched = contents.fields().isEmpty() ? 0 : reading.documents;
    return reading.onlyWords && reading.documents + fetched * DOCUMENTS_PER_FETCH <= DOCUMENTS_MAX;
  }

  /**
   * A visitor that adds up the documents of all words of a query, regardless of their role in it.
   */
  private final class Reading extends QueryVisitor {
    private final WordStatistics counted;
    private long documents;
    private boolean onlyWords = true;

    private Reading(WordStatistics counted) {
      this.counted = counted;
    }

    @Override
    public QueryVisitor getSubVisitor(Occur occur, Query parent) {
      return this;
    }

    @Override
    public void consumeTerms(Query query, Term... terms) {
      for (Term term : terms) {
        Word word = Word.of(term);
        onlyWords &= words.words().contains(word);
        Count count = counted.words().get(word);
        documents += count == null ? 0 : count.documents();
      }
    }

    @Override
    public void consumeTermsMatching(
        Query query, String field, Supplier<ByteRunAutomaton> automaton) {
      onlyWords = false;
    }

    @Override
    public void visitLeaf(Query query) {
      onlyWords = false;
    }
  }
}
