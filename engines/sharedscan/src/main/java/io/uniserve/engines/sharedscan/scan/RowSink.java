package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Cells;
import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A sink that keeps some values of records in blocks. Blocks are kept up to a bound; with more, the
 * query {@linkplain #overflowed leaves} the cycle, and is answered from a snapshot.
 */
public final class RowSink implements Sink {
  /** The greatest size of a block in bytes, unless one row is larger. */
  private static final int BLOCK_BYTES = 32 << 10;

  /** The size of the first block, since most queries have few rows. */
  private static final int FIRST_BYTES = 2 << 10;

  /** The most bytes that are kept for a caller. */
  private static final int KEPT_BYTES_MAX = 1 << 20;

  private final Cells cells;
  private final int[] columns;
  private final BooleanSupplier abandoned;
  private final Consumer<Block> blocks;
  private final boolean bounded;
  private ByteBuffer block = ByteBuffer.allocate(0);
  private int blockBytes = FIRST_BYTES;
  private int rows;
  private long left;
  private long keptBytes;
  private boolean overflowed;

  /**
   * Some rows.
   *
   * @param rows their number
   * @param cells their values in {@linkplain Cells compact form}, one row after another
   */
  public record Block(int rows, ByteBuffer cells) {}

  private RowSink(
      TableSchema schema,
      int[] columns,
      long limit,
      BooleanSupplier abandoned,
      Consumer<Block> blocks,
      boolean bounded) {
    this.cells = Cells.of(schema.columns(), columns);
    this.columns = columns.clone();
    this.left = limit;
    this.abandoned = abandoned;
    this.blocks = blocks;
    this.bounded = bounded;
  }

  /**
   * Makes a sink that keeps its blocks in a list.
   *
   * @param columns the places of the columns
   * @param limit the most rows
   * @param abandoned tells whether nobody waits any more
   */
  public static RowSink keeping(
      TableSchema schema,
      int[] columns,
      long limit,
      BooleanSupplier abandoned,
      List<Block> blocks) {
    return new RowSink(schema, columns, limit, abandoned, blocks::add, true);
  }

  /** Makes a sink that hands on each block, and may wait in doing so. */
  public static RowSink streaming(
      TableSchema schema,
      int[] columns,
      long limit,
      BooleanSupplier abandoned,
      Consumer<Block> blocks) {
    return new RowSink(schema, columns, limit, abandoned, blocks, false);
  }

  @Override
  public void take(Chunk chunk, int slot) {
    Object[] stored = new Object[columns.length];
    for (int i = 0; i < columns.length; i++) {
      stored[i] = chunk.stored(columns[i], slot);
    }
    int size = cells.sizeBytes(stored);
    if (size > block.remaining()) {
      finish();
      block =
          ByteBuffer.allocate(Math.max(size, rowsEnd() ? size : blockBytes))
              .order(ByteOrder.LITTLE_ENDIAN);
      blockBytes = Math.min(BLOCK_BYTES, blockBytes * 2);
    }
    cells.put(stored, block);
    rows++;
    left--;
  }

  private boolean rowsEnd() {
    return left == 1;
  }

  /** Hands on the last block. */
  public void finish() {
    if (rows > 0) {
      keptBytes += block.position();
      blocks.accept(new Block(rows, block.flip()));
      overflowed = bounded && keptBytes > KEPT_BYTES_MAX;
      rows = 0;
      block = ByteBuffer.allocate(0);
    }
  }

  /** Returns whether there were more rows than are kept. */
  public boolean overflowed() {
    return overflowed;
  }

  @Override
  public boolean wantsMore() {
    return left > 0 && !overflowed && !abandoned.getAsBoolean();
  }
}
