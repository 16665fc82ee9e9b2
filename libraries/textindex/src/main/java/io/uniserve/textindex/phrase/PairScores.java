package io.uniserve.textindex.phrase;

import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.similarities.Similarity.SimScorer;

/** The score of a segment's document from the frequency of two words near each other. */
final class PairScores extends Scorable {
  private final SimScorer scorer;
  private final NumericDocValues lengths;
  private int document = -1;
  private float frequency;

  /**
   * Makes the scores.
   *
   * @param lengths the lengths of the documents; null if the field has none
   */
  PairScores(SimScorer scorer, NumericDocValues lengths) {
    this.scorer = scorer;
    this.lengths = lengths;
  }

  /** Moves to a later document; returns whether it is a hit. */
  boolean turnTo(int next, float itsFrequency) {
    document = next;
    frequency = itsFrequency;
    return itsFrequency > 0;
  }

  @Override
  public float score() throws IOException {
    long length = lengths != null && lengths.advanceExact(document) ? lengths.longValue() : 1;
    return scorer.score(frequency, length);
  }

  /** Returns an upper bound of the scores. */
  float max() {
    return scorer.score(Float.MAX_VALUE, 1);
  }
}
