package io.uniserve.textindex.phrase;

import java.io.IOException;

/**
 * A search for documents of two frequent words that stops at the first match in each, since no
 * scores are needed.
 */
final class CountedPair extends FrequentPair {
  private final int shift;
  private final int slop;

  /**
   * Makes the search.
   *
   * @param shift the distance from the second word to the place of the first
   */
  CountedPair(WordBlocks first, WordBlocks second, int shift, int slop) {
    super(first, second, new Unscored());
    this.shift = shift;
    this.slop = slop;
  }

  @Override
  boolean isHit(int document, int firstPlace, int secondPlace) throws IOException {
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
}
