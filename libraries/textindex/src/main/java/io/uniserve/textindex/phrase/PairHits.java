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
 * The documents of a segment that hold two words, of which some are hits; found one by one.
 *
 * @param here whether the one that both words stand at is a hit; asked once for each
 * @param scores of the one that was found to be a hit
 * @param maxScore that none exceeds
 */
record PairHits(BothWords both, IOBooleanSupplier here, Scorable scores, float maxScore) {

  /**
   * The hits, as a clause of another query.
   *
   * @param matchCost what telling whether a document is a hit costs
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

  /** All hits at once. */
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
