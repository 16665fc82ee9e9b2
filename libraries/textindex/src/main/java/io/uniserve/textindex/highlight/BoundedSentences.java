package io.uniserve.textindex.highlight;

import java.text.BreakIterator;
import java.text.CharacterIterator;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The sentences of a text. Sentences that are far longer than a passage are cut into pieces, at
 * white space if there is any. Used by one thread.
 */
final class BoundedSentences extends BreakIterator {
  /** The greatest length of an uncut sentence, in lengths of a passage. */
  private static final int WHOLE_LENGTHS = 3;

  private final int characters;
  private final BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
  private CharacterIterator text;
  private int[] breaks = {0};
  private int current;

  /**
   * Makes the iterator.
   *
   * @param characters the wanted length of a passage, at least 1
   */
  BoundedSentences(int characters) {
    this.characters = characters;
  }

  @Override
  public void setText(CharacterIterator newText) {
    text = newText;
    sentences.setText(newText);
    IntStream.Builder found = IntStream.builder();
    int start = sentences.first();
    found.add(start);
    for (int end = sentences.next(); end != DONE; end = sentences.next()) {
      boolean whole = end - start <= (long) WHOLE_LENGTHS * characters;
      while (!whole && end - start > characters) {
        start = cut(start, end);
        found.add(start);
      }
      if (start < end) {
        found.add(end);
      }
      start = end;
    }
    breaks = found.build().toArray();
    current = 0;
  }

  /** Returns the end of a piece, in a sentence that is longer than a piece. */
  private int cut(int start, int end) {
    int last = start + characters;
    for (int i = last; i > start; i--) {
      if (Character.isWhitespace(text.setIndex(i - 1))) {
        return i;
      }
    }
    for (int i = last; i < Math.min(end, last + characters); i++) {
      if (Character.isWhitespace(text.setIndex(i))) {
        return i + 1;
      }
    }
    boolean insideOfCharacter = last < end && Character.isLowSurrogate(text.setIndex(last));
    return insideOfCharacter ? last + 1 : last;
  }

  @Override
  public CharacterIterator getText() {
    return text;
  }

  @Override
  public int first() {
    current = 0;
    return current();
  }

  @Override
  public int last() {
    current = breaks.length - 1;
    return current();
  }

  @Override
  public int next(int count) {
    return moveTo(current + count);
  }

  @Override
  public int next() {
    return next(1);
  }

  @Override
  public int previous() {
    return next(-1);
  }

  /** Returns the first break behind an offset. */
  @Override
  public int following(int offset) {
    int found = Arrays.binarySearch(breaks, offset);
    return moveTo(found >= 0 ? found + 1 : -found - 1);
  }

  /** Returns the last break before an offset. */
  @Override
  public int preceding(int offset) {
    int found = Arrays.binarySearch(breaks, offset);
    return moveTo(found >= 0 ? found - 1 : -found - 2);
  }

  private int moveTo(int wanted) {
    current = Math.clamp(wanted, 0, breaks.length - 1);
    return current == wanted ? current() : DONE;
  }

  @Override
  public boolean isBoundary(int offset) {
    int found = Arrays.binarySearch(breaks, offset);
    current = Math.min(found >= 0 ? found : -found - 1, breaks.length - 1);
    return found >= 0;
  }

  @Override
  public int current() {
    return breaks[current];
  }
}
