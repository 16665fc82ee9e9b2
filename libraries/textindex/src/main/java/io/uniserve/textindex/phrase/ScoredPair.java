package io.uniserve.textindex.phrase;

import java.io.IOException;

/** A search for documents of two frequent words that counts all matches in each for its score. */
final class ScoredPair extends FrequentPair {
  private final PairFrequency frequency;
  private final PairScores scores;

  ScoredPair(WordBlocks first, WordBlocks second, PairFrequency frequency, PairScores scores) {
    super(first, second, scores);
    this.frequency = frequency;
    this.scores = scores;
  }

  @Override
  boolean isHit(int document, int firstPlace, int secondPlace) throws IOException {
    return scores.turnTo(document, frequency.of(first, firstPlace, second, secondPlace));
  }
}
