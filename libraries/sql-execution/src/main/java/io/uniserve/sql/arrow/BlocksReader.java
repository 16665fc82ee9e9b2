package io.uniserve.sql.arrow;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A reader of blocks with the same columns as one stream, so that one statement of a database can
 * read them all. Only one block at a time is outside the heap.
 */
public final class BlocksReader extends ArrowReader {
  private final BufferAllocator memory;
  private final Iterator<ByteBuffer> blocks;
  private ArrowStreamReader current;
  private long bytesRead;

  /**
   * Makes the reader.
   *
   * @param blocks the blocks, at least one
   * @param memory the memory for the block that is being read
   */
  public BlocksReader(List<ByteBuffer> blocks, BufferAllocator memory) {
    super(memory);
    this.memory = memory;
    this.blocks = blocks.iterator();
    current = ArrowStreams.reader(this.blocks.next(), memory);
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    while (!current.loadNextBatch()) {
      if (!blocks.hasNext()) {
        return false;
      }
      bytesRead += current.bytesRead();
      current.close();
      current = ArrowStreams.reader(blocks.next(), memory);
      requireSame(current.getVectorSchemaRoot().getSchema());
    }
    loadRecordBatch(new VectorUnloader(current.getVectorSchemaRoot()).getRecordBatch());
    return true;
  }

  /** Checks that a block has the columns of the first, whose types are assumed for all buffers. */
  private void requireSame(Schema schema) throws IOException {
    List<Field> own = getVectorSchemaRoot().getSchema().getFields();
    List<Field> others = schema.getFields();
    boolean same = own.size() == others.size();
    for (int i = 0; same && i < own.size(); i++) {
      same = own.get(i).getType().equals(others.get(i).getType());
    }
    if (!same) {
      throw new UniserveException(
          ErrorCode.INTERNAL, "blocks of one stage have columns " + own + " and " + others);
    }
  }

  @Override
  public long bytesRead() {
    return bytesRead + current.bytesRead();
  }

  @Override
  protected void closeReadSource() throws IOException {
    current.close();
  }

  @Override
  protected Schema readSchema() throws IOException {
    return current.getVectorSchemaRoot().getSchema();
  }
}
