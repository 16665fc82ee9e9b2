package io.uniserve.textindex.phrase;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.ArrayUtil;

/**
 * The frequency of two words near each other in a document, as Lucene counts it for a score. For an
 * exact phrase it is the number of its places; for a sloppy one the sum of {@code 1 / (1 + moves)}
 * over its matches, in their order, since sums of floats depend on it. A word occurs at most once
 * at a position, as with every analyzer of a schema. Used for one document after the other.
 */
final class PairFrequency {
  private final int shift;
  private final int slop;
  private final boolean firstLeads;
  private final Occurrences first = new Occurrences();
  private final Occurrences second = new Occurrences();

  /** The positions of a word in a document. */
  private static final class Occurrences {
    private int[] positions = new int[16];
    private int count;

    private void read(PostingsEnum word) throws IOException {
      room(word.freq());
      for (int i = 0; i < count; i++) {
        positions[i] = word.nextPosition();
      }
    }

    private void read(WordBlocks word, int place) throws IOException {
      room(word.frequency(place));
      word.positions().read(word.start(place), count, positions);
    }

    private void room(int wanted) {
      count = wanted;
      positions = ArrayUtil.growNoCopy(positions, wanted);
    }
  }

  /**
   * Makes the frequency.
   *
   * @param shift the distance from the second word to the place of the first
   * @param slop the greatest number of moves that counts as near
   * @param firstLeads true if the phrase has the first word before the second; of two words in one
   *     place Lucene moves on the leading one first
   */
  PairFrequency(int shift, int slop, boolean firstLeads) {
    this.shift = shift;
    this.slop = slop;
    this.firstLeads = firstLeads;
  }

  /**
   * Returns the frequency in the present document of both words, whose positions have not been
   * read.
   *
   * @return 0 if the words are nowhere near each other
   */
  float of(PostingsEnum firstWord, PostingsEnum secondWord) throws IOException {
    first.read(firstWord);
    second.read(secondWord);
    return frequency();
  }

  /**
   * Returns the frequency in a document at these places of the blocks.
   *
   * @return 0 if the words are nowhere near each other
   */
  float of(WordBlocks firstWord, int firstPlace, WordBlocks secondWord, int secondPlace)
      throws IOException {
    first.read(firstWord, firstPlace);
    second.read(secondWord, secondPlace);
    return frequency();
  }

  private float frequency() {
    return slop == 0 ? exact() : sloppy();
  }

  private float exact() {
    int[] left = first.positions;
    int[] right = second.positions;
    int i = 0;
    int j = 0;
    int together = 0;
    while (i < first.count && j < second.count) {
      int distance = left[i] - right[j] - shift;
      together += distance == 0 ? 1 : 0;
      i += distance <= 0 ? 1 : 0;
      j += distance >= 0 ? 1 : 0;
    }
    return together;
  }

  /**
   * Returns the sloppy frequency. The word that is behind moves on until it has passed the other.
   * Its last place before that is a match, if it is near enough. Then the other word is behind.
   */
  private float sloppy() {
    float frequency = 0;
    boolean firstBehind =
        firstLeads
            ? first.positions[0] <= second.positions[0] + shift
            : first.positions[0] < second.positions[0] + shift;
    Occurrences behind = firstBehind ? first : second;
    Occurrences ahead = firstBehind ? second : first;
    int apart = firstBehind ? shift : -shift;
    int moving = 0;
    int standing = 0;
    while (true) {
      int target = ahead.positions[standing] + apart;
      int here = behind.positions[moving++];
      while (moving < behind.count && behind.positions[moving] <= target) {
        here = behind.positions[moving++];
      }
      int moves = target - here;
      if (moves <= slop) {
        frequency += 1f / (1f + moves);
      }
      if (moving == behind.count) {
        return frequency;
      }
      Occurrences passed = ahead;
      ahead = behind;
      behind = passed;
      int next = moving;
      moving = standing;
      standing = next;
      apart = -apart;
    }
  }
}
