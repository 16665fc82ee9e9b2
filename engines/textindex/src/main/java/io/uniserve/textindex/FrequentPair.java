package io.uniserve.textindex;

import java.io.IOException;
import org.apache.lucene.codecs.lucene104.ForUtil;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.Bits;

/**
 * All documents of a segment in which two frequent words stand near each other, from blocks of
 * documents and of positions: finding the place of each document's positions by itself takes longer
 * than comparing them.
 */
final class FrequentPair extends BulkScorer {
  private final WordBlocks first;
  private final WordBlocks second;
  private final int shift;
  private final int slop;
  private final Scorable scores;

  /** Places in the blocks of both words of the documents that hold both. */
  private final int[] firstPlaces = new int[ForUtil.BLOCK_SIZE + 1];

  private final int[] secondPlaces = new int[ForUtil.BLOCK_SIZE + 1];

  /**
   * @param shift how far the second word is to be moved to stand where the first is
   * @param scores what each document scores
   */
  FrequentPair(WordBlocks first, WordBlocks second, int shift, int slop, Scorable scores) {
    this.first = first;
    this.second = second;
    this.shift = shift;
    this.slop = slop;
    this.scores = scores;
  }

  @Override
  public int score(LeafCollector hits, Bits live, int from, int to) throws IOException {
    hits.setScorer(scores);
    while (first.read(to) && second.read(to)) {
      int common = meet();
      for (int i = 0; i < common; i++) {
        int document = first.documents()[firstPlaces[i]];
        if (document >= from
            && (live == null || live.get(document))
            && near(firstPlaces[i], secondPlaces[i])) {
          hits.collect(document);
        }
      }
    }
    return Math.max(first.unread(), second.unread());
  }

  /**
   * Finds the documents of both blocks, up to the end of one. Which of two documents is the lesser
   * cannot be predicted, so nothing branches on it.
   */
  private int meet() {
    int[] left = first.documents();
    int[] right = second.documents();
    int i = first.taken();
    int j = second.taken();
    int found = 0;
    while (i < first.size() && j < second.size()) {
      int distance = left[i] - right[j];
      int notGreater = (distance - 1) >>> 31;
      int notLess = ~distance >>> 31;
      firstPlaces[found] = i;
      secondPlaces[found] = j;
      found += notGreater & notLess;
      i += notGreater;
      j += notLess;
    }
    first.take(i);
    second.take(j);
    return found;
  }

  private boolean near(int firstPlace, int secondPlace) throws IOException {
    int firstLeft = first.frequency(firstPlace);
    int secondLeft = second.frequency(secondPlace);
    int i = first.positions().moveTo(first.start(firstPlace));
    int j = second.positions().moveTo(second.start(secondPlace));
    return i + firstLeft <= WordPositions.BLOCK && j + secondLeft <= WordPositions.BLOCK
        ? nearInBlocks(i, i + firstLeft, j, j + secondLeft)
        : nearAcrossBlocks(firstLeft, secondLeft);
  }

  private boolean nearInBlocks(int i, int firstEnd, int j, int secondEnd) {
    int[] left = first.positions().block();
    int[] right = second.positions().block();
    int nextLeft = i + 1;
    int nextRight = j + 1;
    long distance = (long) left[i] - right[j] - shift;
    while (Math.abs(distance) > slop) {
      if (distance < 0) {
        if (nextLeft == firstEnd) {
          return false;
        }
        distance += left[nextLeft++];
      } else {
        if (nextRight == secondEnd) {
          return false;
        }
        distance -= right[nextRight++];
      }
    }
    return true;
  }

  private boolean nearAcrossBlocks(int firstCount, int secondCount) throws IOException {
    WordPositions left = first.positions();
    WordPositions right = second.positions();
    int firstLeft = firstCount;
    int secondLeft = secondCount;
    long distance = (long) left.next() - right.next() - shift;
    while (Math.abs(distance) > slop) {
      if (distance < 0) {
        if (--firstLeft == 0) {
          return false;
        }
        distance += left.next();
      } else {
        if (--secondLeft == 0) {
          return false;
        }
        distance -= right.next();
      }
    }
    return true;
  }

  @Override
  public long cost() {
    return first.unread();
  }
}
