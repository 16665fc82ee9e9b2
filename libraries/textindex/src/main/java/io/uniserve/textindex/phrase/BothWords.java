package io.uniserve.textindex.phrase;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocIdSetIterator;

/** The documents of a segment that have two words. */
final class BothWords extends DocIdSetIterator {
  private final PostingsEnum rarer;
  private final PostingsEnum other;
  private final int shift;

  /**
   * Makes the iterator.
   *
   * @param shift the distance from the other word to the place of the rarer one
   */
  BothWords(PostingsEnum rarer, PostingsEnum other, int shift) {
    this.rarer = rarer;
    this.other = other;
    this.shift = shift;
  }

  @Override
  public int docID() {
    return rarer.docID();
  }

  @Override
  public int nextDoc() throws IOException {
    return meet(rarer.nextDoc());
  }

  @Override
  public int advance(int target) throws IOException {
    return meet(rarer.advance(target));
  }

  @Override
  public long cost() {
    return rarer.cost();
  }

  private int meet(int document) throws IOException {
    int wanted = document;
    while (wanted != NO_MORE_DOCS) {
      int met = other.docID() < wanted ? other.advance(wanted) : other.docID();
      if (met == wanted) {
        return wanted;
      }
      wanted = rarer.advance(met);
    }
    return NO_MORE_DOCS;
  }

  /**
   * Returns whether the words are within a number of moves of each other. Called once for a
   * document.
   */
  boolean near(int slop) throws IOException {
    int rarerLeft = rarer.freq();
    int otherLeft = other.freq();
    long here = rarer.nextPosition();
    long there = (long) other.nextPosition() + shift;
    while (Math.abs(here - there) > slop) {
      if (here < there) {
        if (--rarerLeft == 0) {
          return false;
        }
        here = rarer.nextPosition();
      } else {
        if (--otherLeft == 0) {
          return false;
        }
        there = (long) other.nextPosition() + shift;
      }
    }
    return true;
  }

  /** Returns how often the words are near each other. Called once for a document. */
  float frequency(PairFrequency frequency) throws IOException {
    return frequency.of(rarer, other);
  }
}
