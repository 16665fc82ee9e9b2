package io.uniserve.textindex.phrase;

import java.io.IOException;
import org.apache.lucene.codecs.lucene104.ForUtil;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.Bits;

/**
 * All documents of a segment in which two frequent words are near each other. They are found from
 * blocks of documents and of positions, since finding each document's positions separately takes
 * longer than comparing them.
 */
abstract sealed class FrequentPair extends BulkScorer permits CountedPair, ScoredPair {
  final WordBlocks first;
  final WordBlocks second;
  private final Scorable scores;

  /** The places, in the blocks of both words, of the documents that have both. */
  private final int[] firstPlaces = new int[ForUtil.BLOCK_SIZE + 1];

  private final int[] secondPlaces = new int[ForUtil.BLOCK_SIZE + 1];

  /**
   * Makes the search.
   *
   * @param scores the score of the present document
   */
  FrequentPair(WordBlocks first, WordBlocks second, Scorable scores) {
    this.first = first;
    this.second = second;
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
            && isHit(document, firstPlaces[i], secondPlaces[i])) {
          hits.collect(document);
        }
      }
    }
    return Math.max(first.unread(), second.unread());
  }

  /**
   * Finds the documents of both blocks, up to the end of one. It does not branch on the lesser of
   * two documents, since this cannot be predicted.
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

  /**
   * Returns whether a document at these places of the blocks is a hit, and makes it the present
   * one.
   */
  abstract boolean isHit(int document, int firstPlace, int secondPlace) throws IOException;

  @Override
  public long cost() {
    return first.unread();
  }
}
