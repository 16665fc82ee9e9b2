package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunk;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;
import io.uniserve.runtime.wire.PlanMessage.PartSize;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** The chunks in a file of {@link ChunkFileWriter}. A place is an offset within a part. */
final class ChunksInFile implements ChunkPages {
  private final ChunkFiles files;
  private final Path file;
  private final SortedMap<Integer, Long> begins;
  private final List<PartSize> parts;
  private final long length;
  private final long chunks;
  private final long bytes;

  ChunksInFile(
      ChunkFiles files,
      Path file,
      SortedMap<Integer, Long> begins,
      List<PartSize> parts,
      long length,
      long chunks,
      long bytes) {
    this.files = files;
    this.file = file;
    this.begins = begins;
    this.parts = parts;
    this.length = length;
    this.chunks = chunks;
    this.bytes = bytes;
  }

  @Override
  public List<PartSize> parts() {
    return parts;
  }

  @Override
  public long chunks() {
    return chunks;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public boolean onDisk() {
    return true;
  }

  @Override
  public FetchedChunks page(int part, long place, int bytesMax) {
    Long begin = begins.get(part);
    if (begin == null || place < 0 || place > end(part) - begin) {
      throw UniserveException.invalid("there are no chunks of part " + part + " at " + place);
    }
    try (SeekableByteChannel in = Files.newByteChannel(file)) {
      return page(in, begin, end(part), begin + place, bytesMax);
    } catch (IOException e) {
      throw new InputLostException("chunks cannot be read: " + UniserveException.reason(e), e);
    }
  }

  private long end(int part) {
    SortedMap<Integer, Long> later = begins.tailMap(part + 1);
    return later.isEmpty() ? length : later.get(later.firstKey());
  }

  private FetchedChunks page(SeekableByteChannel in, long begin, long end, long from, int bytesMax)
      throws IOException {
    List<FetchedChunk> page = new ArrayList<>();
    ByteBuffer window = read(in, from, (int) Math.min(end - from, Math.max(bytesMax, 1)));
    long at = from;
    while (at < end) {
      int size = sizeOfNext(window, end - at);
      boolean whole = size > 0 && size <= window.remaining();
      if (!whole && !page.isEmpty()) {
        break;
      }
      if (!whole) {
        window = read(in, at, size > 0 ? size : headerAt(in, at, end - at));
        size = window.remaining();
      }
      page.add(take(window));
      at += size;
    }
    return new FetchedChunks(page, at - begin, at >= end);
  }

  /**
   * Returns the size of the chunk that begins here; 0 if the window does not contain it.
   *
   * @param most the number of bytes from here to the end of the part
   */
  private static int sizeOfNext(ByteBuffer window, long most) throws IOException {
    if (window.remaining() < ChunkFileWriter.HEADER_BYTES) {
      return 0;
    }
    int at = window.position();
    int attribute = window.getInt(at);
    int contents = window.getInt(at + Integer.BYTES);
    long size = (long) ChunkFileWriter.HEADER_BYTES + attribute + contents;
    if (attribute < 0 || contents < 0 || size > Math.min(most, Integer.MAX_VALUE)) {
      throw damaged();
    }
    return (int) size;
  }

  private static int headerAt(SeekableByteChannel in, long at, long most) throws IOException {
    int header = (int) Math.min(ChunkFileWriter.HEADER_BYTES, most);
    int size = sizeOfNext(read(in, at, header), most);
    if (size == 0) {
      throw damaged();
    }
    return size;
  }

  private static FetchedChunk take(ByteBuffer window) throws IOException {
    byte[] attribute = new byte[window.getInt()];
    int size = window.getInt();
    int sum = window.getInt();
    window.get(attribute);
    ByteBuffer contents = window.slice(window.position(), size).asReadOnlyBuffer();
    window.position(window.position() + size);
    if (sum != ChunkFileWriter.sum(ByteBuffer.wrap(attribute), contents)) {
      throw damaged();
    }
    return new FetchedChunk(PartitionKey.of(attribute), contents);
  }

  private static IOException damaged() {
    return new IOException("a chunk is not what was written");
  }

  private static ByteBuffer read(SeekableByteChannel in, long at, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    in.position(at);
    while (bytes.hasRemaining()) {
      if (in.read(bytes) < 0) {
        throw new EOFException("the file of chunks ends at " + (at + bytes.position()));
      }
    }
    return bytes.flip();
  }

  @Override
  public void close() {
    files.delete(file);
  }
}
