package io.uniserve.textindex.phrase;

import org.apache.lucene.search.Scorable;

/** What documents score where nobody asks. */
final class Unscored extends Scorable {
  @Override
  public float score() {
    return 0;
  }
}
