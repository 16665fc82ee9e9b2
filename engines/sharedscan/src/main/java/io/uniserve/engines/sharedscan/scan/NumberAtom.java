package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.schema.Texts;
import java.util.Arrays;

/** A test of numbers: whether they are in one of some intervals, or in none. */
final class NumberAtom extends Atom {
  private static final int KEYS_MAX = 64;

  /** Intervals of which it is faster to look at all than to search for one. */
  private static final int FEW = 4;

  /** The most intervals that are tested in bulk one after another. */
  private static final int BULK_MAX = 32;

  /** The least numbers of the intervals, ascending, and the greatest. */
  private final long[] lows;

  private final long[] highs;
  private final boolean not;

  private NumberAtom(int column, long[] lows, long[] highs, boolean not) {
    super(column);
    this.lows = lows;
    this.highs = highs;
    this.not = not;
  }

  /**
   * Returns the test of a fixed column.
   *
   * @param textWidth the width of the numbers of texts; 0 if they are none
   */
  static Atom of(Test test, int textWidth) {
    return switch (test) {
      case Test.Among among -> {
        long[] values =
            among.values().stream().mapToLong(value -> (Long) value).sorted().distinct().toArray();
        yield new NumberAtom(among.column(), values, values, among.not());
      }
      case Test.Between between -> between(between);
      case Test.BeginsWith begins -> begins(begins, textWidth);
      case Test.Missing missing -> new MissingAtom(missing);
    };
  }

  private static Atom between(Test.Between between) {
    long low = between.low() == null ? Long.MIN_VALUE : (Long) between.low();
    long high = between.high() == null ? Long.MAX_VALUE : (Long) between.high();
    boolean none =
        between.low() != null && !between.lowIncluded() && low == Long.MAX_VALUE
            || between.high() != null && !between.highIncluded() && high == Long.MIN_VALUE;
    low += between.low() == null || between.lowIncluded() ? 0 : 1;
    high -= between.high() == null || between.highIncluded() ? 0 : 1;
    return none || low > high
        ? new NumberAtom(between.column(), new long[0], new long[0], false)
        : new NumberAtom(between.column(), new long[] {low}, new long[] {high}, false);
  }

  private static Atom begins(Test.BeginsWith begins, int textWidth) {
    byte[] prefix = Texts.bytes(begins.prefix());
    if (textWidth == 0) {
      throw new ClassCastException("numbers have no beginning");
    }
    return prefix.length > textWidth
        ? new NumberAtom(begins.column(), new long[0], new long[0], false)
        : new NumberAtom(
            begins.column(),
            new long[] {Texts.least(prefix, textWidth)},
            new long[] {Texts.greatest(prefix, textWidth)},
            false);
  }

  @Override
  void narrow(Chunk chunk, long[] bits) {
    if (lows.length == 1 && !not) {
      chunk.narrow(column(), lows[0], highs[0], bits);
    } else if (lows.length <= BULK_MAX) {
      narrowByEach(chunk, bits);
    } else {
      narrowOneByOne(chunk, bits);
    }
    dropMissing(chunk, bits);
  }

  private void narrowByEach(Chunk chunk, long[] bits) {
    long[] inside = new long[Chunk.WORDS];
    long[] each = new long[Chunk.WORDS];
    for (int i = 0; i < lows.length; i++) {
      System.arraycopy(bits, 0, each, 0, Chunk.WORDS);
      chunk.narrow(column(), lows[i], highs[i], each);
      for (int word = 0; word < Chunk.WORDS; word++) {
        inside[word] |= each[word];
      }
    }
    for (int word = 0; word < Chunk.WORDS; word++) {
      bits[word] &= not ? ~inside[word] : inside[word];
    }
  }

  private void narrowOneByOne(Chunk chunk, long[] bits) {
    for (int word = 0; word < Chunk.WORDS; word++) {
      long rest = bits[word];
      while (rest != 0) {
        int slot = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
        if (isIn(chunk.number(column(), slot)) == not) {
          bits[word] &= ~(rest & -rest);
        }
        rest &= rest - 1;
      }
    }
  }

  @Override
  int passes() {
    return Math.clamp(lows.length, 1, BULK_MAX * 2);
  }

  private boolean isIn(long number) {
    if (lows.length <= FEW) {
      boolean inside = false;
      for (int i = 0; i < lows.length; i++) {
        inside |= number >= lows[i] && number <= highs[i];
      }
      return inside;
    }
    int place = Arrays.binarySearch(lows, number);
    int before = place >= 0 ? place : -place - 2;
    return before >= 0 && number <= highs[before];
  }

  @Override
  boolean passes(Chunk chunk, int slot) {
    return isIn(chunk.number(column(), slot)) != not && !chunk.isNull(column(), slot);
  }

  @Override
  long[] keys() {
    boolean few = !not && lows.length > 0 && lows.length <= KEYS_MAX && lows[0] == highs[0];
    return few ? lows : super.keys();
  }

  @Override
  boolean isEquality() {
    return !not && lows.length == 1 && lows[0] == highs[0];
  }

  @Override
  boolean isInterval() {
    return !not && lows.length == 1;
  }

  @Override
  long low() {
    return lows[0];
  }

  @Override
  long high() {
    return highs[0];
  }
}
