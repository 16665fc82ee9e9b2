package io.uniserve.engines.sharedscan.scan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.data.Cells;
import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** A sink that computes aggregates of groups of records. */
public final class GroupSink implements Sink {
  /** The most groups of one actor. */
  public static final int GROUPS_MAX = 50_000;

  private final Cells cells;
  private final int[] columns;
  private final List<Aggregate> aggregates;
  private final BooleanSupplier abandoned;
  private final Map<ByteBuffer, Accumulator[]> groups = new HashMap<>();
  private final Map<Long, Accumulator[]> byNumber = new HashMap<>();
  private final Accumulator[] only;
  private final boolean countsOnly;
  private boolean tooMany;

  /**
   * @param columns the columns whose values make a group; none for one group of all records
   * @param abandoned tells whether nobody waits any more
   */
  public GroupSink(
      TableSchema schema, int[] columns, List<Aggregate> aggregates, BooleanSupplier abandoned) {
    this.cells = Cells.of(schema.columns(), columns);
    this.columns = columns.clone();
    this.aggregates = List.copyOf(aggregates);
    this.abandoned = abandoned;
    this.only = columns.length == 0 ? accumulators() : null;
    this.countsOnly = columns.length == 0 && aggregates.stream().allMatch(one -> one.column() < 0);
  }

  private Accumulator[] accumulators() {
    return aggregates.stream().map(one -> new Accumulator(one.kind())).toArray(Accumulator[]::new);
  }

  @Override
  public void takeAll(Chunk chunk, long[] bits) {
    if (!countsOnly) {
      Sink.super.takeAll(chunk, bits);
      return;
    }
    long count = 0;
    for (long word : bits) {
      count += Long.bitCount(word);
    }
    for (Accumulator one : only) {
      one.count(count);
    }
  }

  @Override
  public void take(Chunk chunk, int slot) {
    Accumulator[] group = group(chunk, slot);
    for (int i = 0; i < group.length; i++) {
      int column = aggregates.get(i).column();
      if (column < 0) {
        group[i].count(1);
      } else {
        group[i].take(chunk, column, slot);
      }
    }
  }

  private Accumulator[] group(Chunk chunk, int slot) {
    if (only != null) {
      return only;
    }
    if (columns.length == 1
        && !chunk.schema().column(columns[0]).isText()
        && !chunk.isNull(columns[0], slot)) {
      return byNumber.computeIfAbsent(chunk.number(columns[0], slot), number -> made());
    }
    Object[] stored = new Object[columns.length];
    for (int i = 0; i < columns.length; i++) {
      stored[i] = chunk.stored(columns[i], slot);
    }
    return groups.computeIfAbsent(cells.of(stored), key -> made());
  }

  private Accumulator[] made() {
    tooMany |= groups.size() + byNumber.size() >= GROUPS_MAX;
    return accumulators();
  }

  @Override
  public boolean wantsMore() {
    return !tooMany && !abandoned.getAsBoolean();
  }

  /**
   * Gives each group.
   *
   * @param groupAndResults takes the values of a group in {@linkplain Cells compact form}, and the
   *     results of its aggregates: a {@link Long} for counts, a {@link java.math.BigInteger} for
   *     sums, a stored value for extremes; null for those of no value
   * @throws UniserveException with {@link ErrorCode#TOO_LARGE} if there are too many
   */
  public void forEach(BiConsumer<ByteBuffer, Object[]> groupAndResults) {
    if (tooMany) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a query has more than " + GROUPS_MAX + " groups in one actor");
    }
    if (only != null) {
      groupAndResults.accept(cells.of(new Object[0]), results(only));
    }
    byNumber.forEach(
        (number, group) -> groupAndResults.accept(cells.of(new Object[] {number}), results(group)));
    groups.forEach((key, group) -> groupAndResults.accept(key, results(group)));
  }

  private static Object[] results(Accumulator[] group) {
    return java.util.Arrays.stream(group).map(Accumulator::result).toArray();
  }
}
