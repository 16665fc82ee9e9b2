package io.uniserve.textindex;

import io.uniserve.textindex.document.Ids;
import io.uniserve.textindex.document.Ids.Found;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;

/**
 * A walk through the documents of an index that match a query, in the order of their ids. It looks
 * at some hundred ids at a time and asks the query about these only, so that a page costs the same
 * wherever it begins.
 */
public final class IdPages {
  /** The number of ids that are looked at together. */
  private static final int TOGETHER = 512;

  private final IndexSearcher searcher;
  private final Optional<Weight> weight;

  /** A taker of documents. */
  @FunctionalInterface
  public interface Taker {
    /** Takes a document; returns false to end the walk after it. */
    boolean take(Found found) throws IOException;
  }

  /**
   * The end of a walk.
   *
   * @param last the last id that was looked at; empty if there was none
   * @param looked the number of documents that were looked at
   * @param ended true if no ids come after it
   */
  public record End(Optional<String> last, long looked, boolean ended) {}

  /** Makes a walk. */
  public IdPages(IndexSearcher searcher, Query matched) throws IOException {
    this.searcher = searcher;
    this.weight =
        matched instanceof MatchAllDocsQuery
            ? Optional.empty()
            : Optional.of(
                searcher.createWeight(searcher.rewrite(matched), ScoreMode.COMPLETE_NO_SCORES, 1));
  }

  /**
   * Walks through documents.
   *
   * @param from the least id, if there is a bound
   * @param inclusive true if the document with that id counts
   * @param to the id before which the walk ends, if there is a bound
   * @param most the number of documents after which it ends at the latest
   */
  public End walk(
      Optional<String> from, boolean inclusive, Optional<String> to, long most, Taker taker)
      throws IOException {
    Ids.Walk ids = new Ids.Walk(searcher.getIndexReader(), from, inclusive, to);
    Optional<String> last = Optional.empty();
    long looked = 0;
    while (looked < most) {
      List<Found> some = ids.next(TOGETHER);
      Set<Found> matching = matching(some);
      for (Found found : some) {
        last = Optional.of(found.id());
        looked++;
        if (matching.contains(found) && !taker.take(found)) {
          return new End(last, looked, false);
        }
      }
      if (some.size() < TOGETHER) {
        return new End(last, looked, true);
      }
    }
    return new End(last, looked, false);
  }

  private Set<Found> matching(List<Found> some) throws IOException {
    if (weight.isEmpty()) {
      return new HashSet<>(some);
    }
    List<Found> sorted = new ArrayList<>(some);
    sorted.sort(
        Comparator.comparingInt((Found found) -> found.leaf().ord)
            .thenComparingInt(Found::document));
    Set<Found> matching = new HashSet<>();
    LeafReaderContext leaf = null;
    DocIdSetIterator matches = DocIdSetIterator.empty();
    for (Found found : sorted) {
      if (found.leaf() != leaf) {
        leaf = found.leaf();
        Scorer scorer = weight.get().scorer(leaf);
        matches = scorer == null ? DocIdSetIterator.empty() : scorer.iterator();
      }
      if (matches.docID() < found.document()) {
        matches.advance(found.document());
      }
      if (matches.docID() == found.document()) {
        matching.add(found);
      }
    }
    return matching;
  }
}
