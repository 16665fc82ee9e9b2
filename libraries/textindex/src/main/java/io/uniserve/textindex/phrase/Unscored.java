package io.uniserve.textindex.phrase;

import org.apache.lucene.search.Scorable;

/** The score of documents if no scores are needed. */
final class Unscored extends Scorable {
  @Override
  public float score() {
    return 0;
  }
}
