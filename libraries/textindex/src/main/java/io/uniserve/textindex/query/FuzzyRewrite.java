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
 * Replaces a fuzzy term by the words most like it, as Lucene does, unless the searcher knows better
 * what these are, from indexes beside its own.
 */
final class FuzzyRewrite extends MultiTermQuery.RewriteMethod {
  /** As many words as Lucene takes. */
  static final int WORDS_MAX = FuzzyQuery.defaultMaxExpansions;

  private static final FuzzyRewrite INSTANCE = new FuzzyRewrite();

  private FuzzyRewrite() {}

  /** The query of a fuzzy term. */
  static FuzzyQuery query(Term term, int edits, int prefixLength) {
    return new FuzzyQuery(term, edits, prefixLength, WORDS_MAX, true, INSTANCE);
  }

  /**
   * The words of a segment that are like a fuzzy term.
   *
   * @param shared by all segments of an index: what a search for one term has found out
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
