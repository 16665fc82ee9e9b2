package io.uniserve.textindex;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BoostAttribute;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;

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

  /** Sees the words of an index that are like a fuzzy term. */
  interface Visitor {
    /**
     * A word of one segment; of several segments it comes several times.
     *
     * @param likeness 1 for the term itself, less for others; may be negative
     * @param documents how many documents have it
     * @param occurrences how often it occurs in all of them
     */
    void visit(String word, float likeness, int documents, long occurrences);
  }

  /** Shows all the words of an index that are like a fuzzy term. */
  static void visit(IndexReader reader, FuzzyQuery query, Visitor visitor) throws IOException {
    AttributeSource shared = new AttributeSource();
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms terms = leaf.reader().terms(query.getField());
      if (terms != null) {
        TermsEnum words = INSTANCE.getTermsEnum(query, terms, shared);
        BoostAttribute likeness = words.attributes().addAttribute(BoostAttribute.class);
        for (BytesRef word = words.next(); word != null; word = words.next()) {
          visitor.visit(
              word.utf8ToString(), likeness.getBoost(), words.docFreq(), words.totalTermFreq());
        }
      }
    }
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
