package io.uniserve.textindex.phrase;

import java.io.IOException;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.IOBooleanSupplier;

/**
 * The hits among the documents of a segment that have two words, found one by one.
 *
 * @param here returns whether the present document is a hit; called once for each
 * @param scores the score of the present hit
 * @param maxScore a score that none exceeds
 */
record PairHits(BothWords both, IOBooleanSupplier here, Scorable scores, float maxScore) {

  /**
   * Returns the hits as a clause of another query.
   *
   * @param matchCost the cost of checking a document
   */
  Scorer scorer(float matchCost) {
    return new Clause(
        new TwoPhaseIterator(both) {
          @Override
          public boolean matches() throws IOException {
            return here.get();
          }

          @Override
          public float matchCost() {
            return matchCost;
          }
        });
  }

  private final class Clause extends Scorer {
    private final TwoPhaseIterator near;

    Clause(TwoPhaseIterator near) {
      this.near = near;
    }

    @Override
    public int docID() {
      return both.docID();
    }

    @Override
    public DocIdSetIterator iterator() {
      return TwoPhaseIterator.asDocIdSetIterator(near);
    }

    @Override
    public TwoPhaseIterator twoPhaseIterator() {
      return near;
    }

    @Override
    public float score() throws IOException {
      return scores.score();
    }

    @Override
    public float getMaxScore(int upTo) {
      return maxScore;
    }
  }

  /** Returns all hits at once. */
  BulkScorer bulkScorer() {
    return new BulkScorer() {
      @Override
      public int score(LeafCollector collector, Bits live, int from, int to) throws IOException {
        collector.setScorer(scores);
        int document = both.docID() < from ? both.advance(from) : both.docID();
        for (; document < to; document = both.nextDoc()) {
          if ((live == null || live.get(document)) && here.get()) {
            collector.collect(document);
          }
        }
        return document;
      }

      @Override
      public long cost() {
        return both.cost();
      }
    };
  }
}
