package io.uniserve.sql.arrow;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.function.Consumer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;

/**
 * Safe readers of Arrow streams from the network or from any file. Arrow's own reader allocates the
 * length that a message claims before it reads the message. These readers refuse a length beyond
 * the end of the stream.
 */
public final class ArrowStreams {
  private static final long SLACK_BYTES = 1 << 20;

  private ArrowStreams() {}

  /** Returns a reader of a block. It does not copy a block that is in a writable array. */
  static ArrowStreamReader reader(ByteBuffer block, BufferAllocator memory) {
    return reader(Channels.newChannel(stream(block)), block.remaining(), memory);
  }

  /**
   * Checks that all values and offsets of a block lie within it, so that a database can read it
   * directly. Takes memory in proportion to the block.
   *
   * @param columns receives the columns, without rows; it throws if they are not wanted
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if the block is damaged
   */
  public static void check(ByteBuffer block, Consumer<VectorSchemaRoot> columns) {
    try (BufferAllocator memory = Blocks.newMemory(4L * block.remaining() + SLACK_BYTES);
        ArrowReader reader = reader(block, memory)) {
      columns.accept(reader.getVectorSchemaRoot());
      while (reader.loadNextBatch()) {
        SoundRows.require(reader.getVectorSchemaRoot());
      }
    } catch (IOException
        | IllegalArgumentException
        | IndexOutOfBoundsException
        | OutOfMemoryException
        | UnsupportedOperationException e) {
      throw UniserveException.invalid(
          "a block of rows cannot be read: " + UniserveException.reason(e));
    }
  }

  /** Returns a reader of a file, from the present position of its channel. */
  static ArrowStreamReader reader(SeekableByteChannel file, BufferAllocator memory)
      throws IOException {
    return reader(file, file.size() - file.position(), memory);
  }

  private static ArrowStreamReader reader(
      ReadableByteChannel in, long length, BufferAllocator memory) {
    return new ArrowStreamReader(new MessageChannelReader(new Bounded(in, length), memory), memory);
  }

  private static ByteArrayInputStream stream(ByteBuffer block) {
    if (block.hasArray()) {
      return new ByteArrayInputStream(
          block.array(), block.arrayOffset() + block.position(), block.remaining());
    }
    byte[] bytes = new byte[block.remaining()];
    block.duplicate().get(bytes);
    return new ByteArrayInputStream(bytes);
  }

  /**
   * A channel that checks lengths before they are used: those of messages, of four bytes each, and
   * those of bodies, which the messages state.
   */
  private static final class Bounded extends ReadChannel {
    private static final int CONTINUES = -1;

    private final long length;
    private boolean body;

    Bounded(ReadableByteChannel in, long length) {
      super(in);
      this.length = length;
    }

    @Override
    public int readFully(ByteBuffer buffer) throws IOException {
      int from = buffer.position();
      int read = super.readFully(buffer);
      if (body || buffer.hasRemaining()) { // Arrow's reader refuses a stream that ends too early
        return read;
      }
      ByteBuffer got = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN).flip().position(from);
      if (got.remaining() == Integer.BYTES) {
        int told = got.getInt();
        if (told != CONTINUES) {
          require(told);
        }
      } else if (got.hasRemaining()) {
        require(Message.getRootAsMessage(got).bodyLength());
      }
      return read;
    }

    @Override
    public long readFully(ArrowBuf buffer, long bytes) throws IOException {
      body = true;
      try {
        return super.readFully(buffer, bytes);
      } finally {
        body = false;
      }
    }

    private void require(long told) throws IOException {
      long left = length - bytesRead();
      if (told < 0 || told > left) {
        throw new IOException("a message of " + told + " bytes, where " + left + " are left");
      }
    }
  }
}
