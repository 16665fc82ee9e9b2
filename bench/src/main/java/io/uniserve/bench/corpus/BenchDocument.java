package io.uniserve.bench.corpus;

/**
 * One document.
 *
 * @param id the article's id, a dash, and the piece's number within the article: unique in the
 *     corpus
 * @param title the article's title
 * @param body the text of the body: at most {@link DocumentCutter#PIECE_BYTES_MAX} bytes of UTF-8
 * @param timeSecond 0 to 86,399. The query file asks for ranges over the second of the day when a
 *     page was last changed, which the text files do not tell; this is the document's ordinal
 *     spread over the day by {@link #timeSecondOf}
 */
public record BenchDocument(String id, String title, String body, int timeSecond) {

  private static final int SECONDS_PER_DAY = 86_400;

  /**
   * A prime that does not divide the seconds of a day, so that consecutive documents fall far apart
   * and all seconds occur.
   */
  private static final long SPREAD = 7_919;

  static int timeSecondOf(long ordinal) {
    return (int) (ordinal * SPREAD % SECONDS_PER_DAY);
  }
}
