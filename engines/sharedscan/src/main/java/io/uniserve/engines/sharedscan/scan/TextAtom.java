package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.schema.Texts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A test of longer texts: whether they are in one of some intervals, or in none. The first bytes of
 * a text, as a number, decide for nearly all of them.
 */
final class TextAtom extends Atom {
  private static final int KEYS_MAX = 64;

  /** Texts from one to another; null where there is no end. */
  private record Interval(
      byte[] low, boolean lowIncluded, byte[] high, boolean highIncluded, long from, long to) {
    static Interval of(byte[] low, boolean lowIncluded, byte[] high, boolean highIncluded) {
      return new Interval(
          low,
          lowIncluded,
          high,
          highIncluded,
          low == null ? Long.MIN_VALUE : Texts.least(low, Long.BYTES),
          high == null ? Long.MAX_VALUE : Texts.least(high, Long.BYTES));
    }

    boolean has(Chunk chunk, int column, int slot) {
      long number = chunk.number(column, slot);
      if (number < from || number > to) {
        return false;
      }
      return (number > from || low == null || isAbove(chunk, column, slot))
          && (number < to || high == null || isBelow(chunk, column, slot));
    }

    /** Clears the bits of the slots whose first bytes do not tell that they are inside. */
    void narrowToSure(Chunk chunk, int column, long[] bits) {
      boolean none = low != null && from == Long.MAX_VALUE || high != null && to == Long.MIN_VALUE;
      long least = low == null ? from : from + 1;
      long greatest = high == null ? to : to - 1;
      if (none || least > greatest) {
        Arrays.fill(bits, 0);
      } else {
        chunk.narrow(column, least, greatest, bits);
      }
    }

    private boolean isAbove(Chunk chunk, int column, int slot) {
      return chunk.compareText(column, slot, low) >= (lowIncluded ? 0 : 1);
    }

    private boolean isBelow(Chunk chunk, int column, int slot) {
      return chunk.compareText(column, slot, high) <= (highIncluded ? 0 : -1);
    }
  }

  private final List<Interval> intervals;
  private final boolean not;
  private final long[] keys;

  private TextAtom(int column, List<Interval> intervals, boolean not, boolean equal) {
    super(column);
    this.intervals = intervals;
    this.not = not;
    boolean few = equal && !not && !intervals.isEmpty() && intervals.size() <= KEYS_MAX;
    this.keys =
        few
            ? intervals.stream().mapToLong(Interval::from).sorted().distinct().toArray()
            : super.keys();
  }

  /** Returns the test of a text column. */
  static Atom of(Test test) {
    return switch (test) {
      case Test.Among among -> {
        List<Interval> intervals = new ArrayList<>();
        for (Object value : among.values()) {
          byte[] text = Texts.bytes((String) value);
          intervals.add(Interval.of(text, true, text, true));
        }
        yield new TextAtom(among.column(), List.copyOf(intervals), among.not(), true);
      }
      case Test.Between between ->
          new TextAtom(
              between.column(),
              List.of(
                  Interval.of(
                      between.low() == null ? null : Texts.bytes((String) between.low()),
                      between.lowIncluded(),
                      between.high() == null ? null : Texts.bytes((String) between.high()),
                      between.highIncluded())),
              false,
              false);
      case Test.BeginsWith begins -> {
        byte[] prefix = Texts.bytes(begins.prefix());
        yield new TextAtom(
            begins.column(), List.of(Interval.of(prefix, true, next(prefix), false)), false, false);
      }
      case Test.Missing missing -> new MissingAtom(missing);
    };
  }

  /** Returns the least bytes after all that begin with a prefix; null if there are none. */
  private static byte[] next(byte[] prefix) {
    if (prefix.length == 0) {
      return null;
    }
    byte[] next = prefix.clone();
    next[next.length - 1]++; // UTF-8 has no byte of only ones
    return next;
  }

  @Override
  void narrow(Chunk chunk, long[] bits) {
    long[] inside = new long[Chunk.WORDS];
    long[] each = new long[Chunk.WORDS];
    long[] sure = new long[Chunk.WORDS];
    for (Interval interval : intervals) {
      System.arraycopy(bits, 0, each, 0, Chunk.WORDS);
      chunk.narrow(column(), interval.from, interval.to, each);
      System.arraycopy(each, 0, sure, 0, Chunk.WORDS);
      interval.narrowToSure(chunk, column(), sure);
      for (int word = 0; word < Chunk.WORDS; word++) {
        inside[word] |= sure[word];
        long unsure = each[word] & chunk.liveWord(word) & ~inside[word];
        while (unsure != 0) {
          int slot = word * Long.SIZE + Long.numberOfTrailingZeros(unsure);
          inside[word] |= interval.has(chunk, column(), slot) ? unsure & -unsure : 0;
          unsure &= unsure - 1;
        }
      }
    }
    for (int word = 0; word < Chunk.WORDS; word++) {
      bits[word] &= not ? ~inside[word] : inside[word];
    }
    dropMissing(chunk, bits);
  }

  @Override
  int passes() {
    return 2 * Math.max(1, intervals.size());
  }

  @Override
  boolean passes(Chunk chunk, int slot) {
    if (chunk.isNull(column(), slot)) {
      return false;
    }
    for (Interval interval : intervals) {
      if (interval.has(chunk, column(), slot)) {
        return !not;
      }
    }
    return not;
  }

  @Override
  long[] keys() {
    return keys;
  }
}
