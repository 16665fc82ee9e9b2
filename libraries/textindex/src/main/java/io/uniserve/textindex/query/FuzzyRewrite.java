package io.uniserve.textindex.query;

import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.AttributeSource;

/**
 * A rewriting of fuzzy terms to the words most like them, as Lucene does. If the searcher knows
 * these words for several indexes together, they are used instead.
 */
final class FuzzyRewrite extends MultiTermQuery.RewriteMethod {
  /** The most words, as in Lucene. */
  static final int WORDS_MAX = FuzzyQuery.defaultMaxExpansions;

  private static final FuzzyRewrite INSTANCE = new FuzzyRewrite();

  private FuzzyRewrite() {}

  /** Makes the query of a fuzzy term. */
  static FuzzyQuery query(Term term, int edits, int prefixLength) {
    return new FuzzyQuery(term, edits, prefixLength, WORDS_MAX, true, INSTANCE);
  }

  /**
   * Returns the words of a segment that are like a fuzzy term.
   *
   * @param shared the state of the search for one term, which all segments of an index share
   */
  static TermsEnum words(FuzzyQuery query, Terms terms, AttributeSource shared) throws IOException {
    return INSTANCE.getTermsEnum(query, terms, shared);
  }

  @Override
  public Query rewrite(IndexSearcher searcher, MultiTermQuery query) throws IOException {
    return searcher instanceof StatisticsSearcher knowing
        ? knowing.replace((FuzzyQuery) query)
        : byLucene(searcher, (FuzzyQuery) query);
  }

  /** Replaces a fuzzy term as Lucene does. */
  static Query byLucene(IndexSearcher searcher, FuzzyQuery query) throws IOException {
    return FuzzyQuery.defaultRewriteMethod(WORDS_MAX).rewrite(searcher, query);
  }
}
