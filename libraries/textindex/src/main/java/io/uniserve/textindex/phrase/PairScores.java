package io.uniserve.textindex.phrase;

import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.similarities.Similarity.SimScorer;

/** What a document of a segment scores by how often two words stand near each other in it. */
final class PairScores extends Scorable {
  private final SimScorer scorer;
  private final NumericDocValues lengths;
  private int document = -1;
  private float frequency;

  /**
   * @param lengths of the documents; null if the field has none
   */
  PairScores(SimScorer scorer, NumericDocValues lengths) {
    this.scorer = scorer;
    this.lengths = lengths;
  }

  /** Turns to a document behind the one before, and says whether it is a hit. */
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

  /** No document scores more. */
  float max() {
    return scorer.score(Float.MAX_VALUE, 1);
  }
}
