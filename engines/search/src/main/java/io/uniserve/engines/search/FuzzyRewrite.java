package io.uniserve.engines.search;

import io.uniserve.engines.search.TableStatistics.*;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;

/** Replaces a fuzzy term by the words that it stands for; runs on a {@link TableSearcher}. */
final class FuzzyRewrite extends MultiTermQuery.RewriteMethod {
  static final FuzzyRewrite INSTANCE = new FuzzyRewrite();
  static final int WORDS_MAX = FuzzyQuery.defaultMaxExpansions;

  private FuzzyRewrite() {}

  static FuzzyQuery query(Term term, int edits, int prefixLength) {
    return new FuzzyQuery(term, edits, prefixLength, WORDS_MAX, true, INSTANCE);
  }

  @Override
  public Query rewrite(IndexSearcher searcher, MultiTermQuery query) throws IOException {
    TableSearcher table = (TableSearcher) searcher;
    FuzzyQuery fuzzy = (FuzzyQuery) query;
    Optional<List<FuzzyWord>> known = table.wordsOf(FuzzyTerm.of(fuzzy));
    return table.anyOf(
        query.getField(),
        known.isPresent() ? known.get() : words(searcher.getIndexReader(), fuzzy));
  }

  /** The words of an index that a fuzzy term stands for. */
  List<FuzzyWord> words(IndexReader reader, FuzzyQuery query) throws IOException {
    AttributeSource shared = new AttributeSource();
    List<FuzzyWord> best = List.of();
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms terms = leaf.reader().terms(query.getField());
      if (terms != null) {
        best = TableStatistics.mostLike(best, words(getTermsEnum(query, terms, shared)));
      }
    }
    return best;
  }

  private static List<FuzzyWord> words(TermsEnum found) throws IOException {
    BoostAttribute likeness = found.attributes().addAttribute(BoostAttribute.class);
    List<FuzzyWord> words = new ArrayList<>();
    for (BytesRef word = found.next(); word != null; word = found.next()) {
      Count count = new Count(found.docFreq(), found.totalTermFreq());
      words.add(new FuzzyWord(word.utf8ToString(), likeness.getBoost(), count));
    }
    return words;
  }
}
