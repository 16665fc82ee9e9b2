package io.uniserve.textindex.phrase;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocIdSetIterator;

/** The documents of a segment that hold two words. */
final class BothWords extends DocIdSetIterator {
  private final PostingsEnum rarer;
  private final PostingsEnum other;
  private final int shift;

  /**
   * @param shift how far the other word is to be moved to stand where the rarer one is
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

  /** Whether the words stand within so many moves of each other. Asked once for a document. */
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

  /** How often the words stand near each other. Asked once for a document. */
  float frequency(PairFrequency frequency) throws IOException {
    return frequency.of(rarer, other);
  }
}
